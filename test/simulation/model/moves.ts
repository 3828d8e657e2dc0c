/** The few ways in which the model lets a job move: an attempt is queued, starts, becomes UNKNOWN, ends. Whether it may is decided by the verbs beside this file. */
import { type OperationSettings, operations } from "../settings.ts";
import type { AttemptState, Draft, ModelAttempt, ModelJob } from "./world.ts";

/** Who is behind an event. */
export interface By {
  readonly cause: string;
  readonly name: string | null;
}

export const policy: By = { cause: "POLICY", name: null };

export function settingsOf(operation: string): OperationSettings {
  const settings = operations[operation];
  if (settings === undefined) throw new Error(`There is no operation ${operation} in the settings.`);
  return settings;
}

export function tell(draft: Draft, job: ModelJob, type: string, attempt: ModelAttempt | null, by: By): void {
  job.events.push([type, job.state, attempt?.number ?? null, attempt?.state ?? null, by.cause, by.name, draft.now]);
}

export interface Queueing {
  readonly provider: string;
  readonly runAt: number;
  readonly certificationId?: string | null;
  readonly uncertifiedBy?: string | null;
  readonly id?: string | null;
}

/** The next attempt, with the job's version as its fence; the version stays. */
export function queue(draft: Draft, job: ModelJob, queueing: Queueing, by: By): ModelAttempt {
  const attempt: ModelAttempt = {
    id: queueing.id ?? null,
    number: job.attempts.length + 1,
    provider: queueing.provider,
    revision: draft.revisions[queueing.provider] ?? "",
    state: "QUEUED",
    stateChangedAt: draft.now,
    fence: job.version,
    certificationId: queueing.certificationId ?? null,
    uncertifiedBy: queueing.uncertifiedBy ?? null,
    workerId: null,
    claimedBy: null,
    claimKey: null,
    token: null,
    leaseExpiresAt: null,
    deadlineAt: null,
    runAt: queueing.runAt,
    progress: null,
    requestId: null,
    failure: null,
    uncertain: false,
    lookedUpAt: null,
    lateResultAt: null,
    createdAt: draft.now,
    startedAt: null,
    finishedAt: null,
  };
  job.attempts.push(attempt);
  job.latest = attempt.number;
  job.state = "QUEUED";
  job.failure = null;
  job.updatedAt = draft.now;
  tell(draft, job, "ATTEMPT_QUEUED", attempt, by);
  return attempt;
}

/** A live attempt goes on to another live state, which its job shows; the version stays. */
export function move(draft: Draft, job: ModelJob, attempt: ModelAttempt, state: AttemptState, by: By): void {
  attempt.state = state;
  attempt.stateChangedAt = draft.now;
  job.state = state === "STARTING" ? "RUNNING" : state;
  job.updatedAt = draft.now;
  tell(draft, job, `ATTEMPT_${state}`, attempt, by);
}

/** A timeout, a lost worker or an unclear answer. */
export function lose(draft: Draft, job: ModelJob, attempt: ModelAttempt, failure: string, by: By): void {
  attempt.uncertain = true;
  attempt.leaseExpiresAt = null;
  attempt.failure = failure;
  move(draft, job, attempt, "UNKNOWN", by);
}

/** Every end raises the version by one. It tells nothing yet: what the job shows then differs from verb to verb. */
export function end(draft: Draft, job: ModelJob, attempt: ModelAttempt, state: AttemptState): void {
  attempt.state = state;
  attempt.stateChangedAt = draft.now;
  attempt.finishedAt = draft.now;
  attempt.leaseExpiresAt = null;
  job.version += 1;
  job.updatedAt = draft.now;
}

/** The attempt's result takes the slot, and its job is closed. */
export function succeed(draft: Draft, job: ModelJob, attempt: ModelAttempt, result: ModelJob["result"], by: By): void {
  end(draft, job, attempt, "SUCCEEDED");
  attempt.failure = null;
  attempt.uncertain = false;
  job.state = "SUCCEEDED";
  job.completedBy = attempt.number;
  job.result = result;
  job.failure = null;
  job.closedAt = draft.now;
  tell(draft, job, "ATTEMPT_SUCCEEDED", attempt, by);
  tell(draft, job, "JOB_SUCCEEDED", attempt, by);
}

/** The attempt ends, and with it its job, until somebody retries it. */
export function failJob(
  draft: Draft,
  job: ModelJob,
  attempt: ModelAttempt,
  state: "FAILED" | "CANCELLED",
  by: By,
): void {
  end(draft, job, attempt, state);
  job.state = "FAILED";
  job.failure = attempt.failure;
  tell(draft, job, `ATTEMPT_${state}`, attempt, by);
  tell(draft, job, "JOB_FAILED", attempt, by);
}
