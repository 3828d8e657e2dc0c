/** What owners and operators decide about jobs and attempts in the model: withdraw, retry, settle, free a key. */
import type { Caller, Command, Json } from "../commands.ts";
import { hasTerms } from "./create-and-claim.ts";
import { gateOf } from "./gate.ts";
import { type By, end, failJob, queue, settingsOf, succeed, tell } from "./moves.ts";
import { discard, isHeldResult } from "./reports.ts";
import {
  attemptById,
  change,
  type Draft,
  type Found,
  isClosed,
  isLive,
  jobById,
  latestOf,
  type ModelJob,
  placeOf,
} from "./world.ts";

type Of<Verb extends Command["do"]> = Extract<Command, { do: Verb }>;

function byOf({ name, role }: Caller): By {
  return { cause: role === "operator" ? "OPERATOR" : "OWNER", name };
}

/** I11: what belongs to another owner is not there. */
function isHidden(job: ModelJob, { name, role }: Caller): boolean {
  return role === "owner" && job.owner !== name;
}

/** Operators' acts alone are on record. */
export function act(draft: Draft, action: string, by: By): void {
  if (by.cause === "OPERATOR") draft.acts = [...draft.acts, `${action} ${by.name}`];
}

function own(draft: Draft, found: Found): Found {
  const job = change(draft, found.job);
  return { job, attempt: job.attempts[found.attempt.number - 1] as Found["attempt"] };
}

export function cancelAttempt(draft: Draft, { attemptId, caller }: Of<"cancelAttempt">): Json {
  const found = attemptById(draft, attemptId);
  if (found === null || isHidden(found.job, caller)) return { kind: "not-found" };
  const { state } = found.attempt;
  if (state === "CANCELLED") return { kind: "cancelled", jobId: found.job.id, attemptId, repeated: true };
  if (!isLive(state)) return { kind: "closed", attemptId };
  const ownerMay = state === "QUEUED" || settingsOf(found.job.operation).ownerMayCancel;
  if (!ownerMay && caller.role === "owner") return { kind: "operators-only", attemptId };
  const { job, attempt } = own(draft, found);
  const by = ownerMay ? byOf(caller) : { cause: "OPERATOR", name: caller.name };
  attempt.uncertain = state !== "QUEUED";
  attempt.failure = "ATTEMPT_CANCELLED SAME_PROVIDER";
  failJob(draft, job, attempt, "CANCELLED", by);
  act(draft, "cancelAttempt", by);
  return { kind: "cancelled", jobId: job.id, attemptId, repeated: false };
}

export function cancelJob(draft: Draft, jobId: string, caller: Caller, action: string | null): Json {
  const found = jobById(draft, jobId);
  if (found === null || isHidden(found, caller)) return { kind: "not-found" };
  if (found.state === "CANCELLED") return { kind: "cancelled", jobId, cancelledAttemptId: null, repeated: true };
  if (found.state === "SUCCEEDED") return { kind: "closed", jobId };
  const { job, attempt } = own(draft, { job: found, attempt: latestOf(found) });
  const by = byOf(caller);
  const hadLive = isLive(attempt.state);
  if (hadLive) {
    attempt.uncertain = attempt.state !== "QUEUED";
    end(draft, job, attempt, "CANCELLED");
  } else job.version += 1;
  job.state = "CANCELLED";
  job.failure = null;
  job.updatedAt = draft.now;
  job.closedAt = draft.now;
  if (hadLive) tell(draft, job, "ATTEMPT_CANCELLED", attempt, by);
  tell(draft, job, "JOB_CANCELLED", null, by);
  if (action !== null) act(draft, action, by);
  return { kind: "cancelled", jobId, cancelledAttemptId: hadLive ? attempt.id : null, repeated: false };
}

/** Oldest first, each as by cancelJob; one act on record for the whole call. */
export function cancelJobs(draft: Draft, { owner, limit, caller }: Of<"cancelJobs">): Json {
  const open = [...draft.jobs.values()].filter((job) => job.owner === owner && !isClosed(job));
  const first = open.toSorted((left, right) => left.createdAt - right.createdAt).slice(0, limit);
  const answers = first.map((job) => cancelJob(draft, job.id ?? "", caller, null));
  if (first.length > 0) act(draft, "cancelJobs", byOf(caller));
  return answers;
}

export function retry(draft: Draft, command: Of<"retryJob">, seen: Json): Json {
  const { jobId, afterAttemptId, caller, override } = command;
  const found = jobById(draft, jobId);
  const after = found?.attempts.find((one) => one.id === afterAttemptId);
  if (found === null || after === undefined || isHidden(found, caller)) return { kind: "not-found" };
  if (isClosed(found)) return { kind: "closed", jobId };
  const latest = latestOf(found);
  const outdated = { kind: "outdated", jobId, latestAttemptId: latest.id };
  if (latest.number - after.number > 1) return outdated;
  if (isLive(latest.state)) return { kind: "in-flight", jobId, attemptId: latest.id };
  if (latest.number !== after.number) return outdated;
  const provider = command.provider ?? latest.provider;
  if (!hasTerms(found.operation, provider)) return { kind: "dropped", operation: found.operation, provider };
  const gate = provider === found.provider || override ? null : gateOf(draft, found.operation, provider);
  if (gate !== null && gate.reason !== null) return { kind: "not-certified", provider, ...gate };
  const { job } = own(draft, { job: found, attempt: latest });
  const id = (seen as { attemptId?: string } | null)?.attemptId ?? null;
  const uncertifiedBy = override && provider !== found.provider ? caller.name : null;
  const by = byOf(caller);
  queue(
    draft,
    job,
    { provider, runAt: draft.now, certificationId: gate?.certificationId ?? null, uncertifiedBy, id },
    by,
  );
  act(draft, "retryJob", by);
  return { kind: "started", jobId, attemptId: id };
}

export function resolve(draft: Draft, command: Of<"resolveAttempt">, by: By): Json {
  const { attemptId, result, failed, lookedUp } = command;
  const found = attemptById(draft, attemptId);
  if (found === null) return { kind: "not-found" };
  const { state } = found.attempt;
  const jobId = found.job.id;
  if (state === "QUEUED") return { kind: "not-started", attemptId };
  if (!isLive(state)) {
    if (failed !== null)
      return state === "FAILED"
        ? { kind: "resolved", jobId, attemptId, repeated: true }
        : { kind: "closed", attemptId };
    if (isHeldResult(found, result)) return { kind: "resolved", jobId, attemptId, repeated: true };
    return discard(draft, result, own(draft, found), { attemptId, jobId }, by);
  }
  const { job, attempt } = own(draft, found);
  if (lookedUp) attempt.lookedUpAt = draft.now;
  if (failed === null) succeed(draft, job, attempt, result, by);
  else {
    attempt.failure = `${failed.code} NONE`;
    attempt.uncertain = failed.uncertain;
    failJob(draft, job, attempt, "FAILED", by);
  }
  act(draft, lookedUp ? "lookUpAttempt" : "resolveAttempt", by);
  return { kind: "resolved", jobId, attemptId, repeated: false };
}

export function markLookedUp(draft: Draft, { attemptId }: Of<"markLookedUp">, by: By): Json {
  const found = attemptById(draft, attemptId);
  if (found === null) return { kind: "not-found" };
  if (!isLive(found.attempt.state) || found.attempt.state === "QUEUED") return { kind: "closed" };
  own(draft, found).attempt.lookedUpAt = draft.now;
  act(draft, "lookUpAttempt", by);
  return { kind: "marked" };
}

export function releaseKey(draft: Draft, { owner, key }: Of<"releaseKey">, by: By): Json {
  const job = draft.jobs.get(placeOf(owner, key));
  if (job === undefined) return { kind: "not-found" };
  if (job.purgedAt === null) return { kind: "in-use", jobId: job.id };
  draft.jobs.delete(placeOf(owner, key));
  act(draft, "releaseKey", by);
  return { kind: "released", jobId: job.id };
}
