/** Reads every job, attempt and event of the simulation's database after a step, as they stand there. It judges nothing. */
import type postgres from "postgres";
import type { Json } from "./commands.ts";
import type { AttemptState, JobState } from "./model/world.ts";

export interface AttemptRow {
  readonly id: string;
  readonly jobId: string;
  readonly number: number;
  readonly provider: string;
  readonly revision: string;
  readonly state: AttemptState;
  readonly stateChangedAt: number;
  readonly fence: number;
  readonly certificationId: string | null;
  readonly uncertifiedBy: string | null;
  readonly workerId: string | null;
  readonly claimedBy: string | null;
  readonly claimKey: string | null;
  readonly token: string | null;
  readonly leaseExpiresAt: number | null;
  readonly deadlineAt: number | null;
  readonly runAt: number;
  readonly progress: number | null;
  readonly requestId: string | null;
  readonly failure: string | null;
  readonly uncertain: boolean;
  readonly lookedUpAt: number | null;
  readonly lateResultAt: number | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
}

export interface EventRow {
  readonly jobId: string;
  readonly number: number;
  readonly type: string;
  readonly jobState: JobState;
  readonly attemptId: string | null;
  readonly attemptState: AttemptState | null;
  readonly cause: string;
  readonly actor: string | null;
  readonly digest: string | null;
  /** Names of the members of `detail`. */
  readonly told: string | null;
  readonly at: number;
}

export interface JobRow {
  readonly id: string;
  readonly owner: string;
  readonly key: string;
  readonly givenDigest: string;
  readonly resolvedDigest: string;
  readonly operation: string;
  readonly provider: string;
  readonly fallbacks: readonly string[];
  readonly input: Json;
  readonly priority: number;
  readonly state: JobState;
  readonly version: number;
  readonly eventCount: number;
  readonly attemptCount: number;
  readonly latestAttempt: string;
  readonly completedBy: string | null;
  readonly result: Json;
  readonly failure: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly closedAt: number | null;
  readonly purgedAt: number | null;
  readonly attempts: readonly AttemptRow[];
  readonly events: readonly EventRow[];
}

export interface Rows {
  /** In the order of creation. */
  readonly jobs: readonly JobRow[];
  /** How many attempts and events belong to no job. */
  readonly strays: { readonly attempts: number; readonly events: number };
  readonly paused: readonly string[];
  /** Action and actor of each act in the audit log, sorted. */
  readonly acts: readonly string[];
}

const instant = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;
const failure = "(failure ->> 'code') || ' ' || (failure ->> 'remedy') as failure";

const jobColumns = `id, owner_id as owner, idempotency_key as key, given_digest as "givenDigest", resolved_digest as "resolvedDigest",
  operation, provider, fallback_providers as fallbacks, input, priority, state, version, event_count as "eventCount",
  attempt_count as "attemptCount", latest_attempt as "latestAttempt", completed_by as "completedBy", result, ${failure},
  ${instant("created_at")} as "createdAt", ${instant("updated_at")} as "updatedAt", ${instant("closed_at")} as "closedAt",
  ${instant("purged_at")} as "purgedAt"`;

const attemptColumns = `id, job_id as "jobId", number, provider, provider_revision as revision, state,
  ${instant("state_changed_at")} as "stateChangedAt", job_version as fence, certification_id as "certificationId",
  uncertified_by as "uncertifiedBy", worker_id as "workerId", claimed_by as "claimedBy", claim_key as "claimKey", lease_token as token,
  ${instant("lease_expires_at")} as "leaseExpiresAt", ${instant("deadline_at")} as "deadlineAt", ${instant("run_at")} as "runAt",
  (progress ->> 'fraction')::float8 as progress, provider_request_id as "requestId", ${failure}, effect_uncertain as uncertain,
  ${instant("looked_up_at")} as "lookedUpAt", ${instant("late_result_at")} as "lateResultAt", ${instant("created_at")} as "createdAt",
  ${instant("started_at")} as "startedAt", ${instant("finished_at")} as "finishedAt"`;

const or = (column: string): string => `coalesce(${column}::text, '-')`;
/** One line an event, since there are many. */
const eventColumns = `number, type, job_state, ${or("attempt_id")}, ${or("attempt_state")}, cause, ${or("actor")}, ${or("result_digest")},
  case when type = 'RESULT_DISCARDED' then (select string_agg(name, '+' order by name) from jsonb_object_keys(detail) name) else '-' end, ${instant("at")}`;

const jobsQuery = `select j.id,
  (select row_to_json(r)::text from (select ${jobColumns} from jobs one where one.id = j.id) r) as job,
  (select json_agg(r)::text from (select ${attemptColumns} from attempts a where a.job_id = j.id order by number) r) as attempts,
  (select string_agg(concat_ws(' ', ${eventColumns}), E'\\n' order by number) from job_events e where e.job_id = j.id) as events
  from jobs j order by j.created_at, j.id`;

const othersQuery = `select
  (select count(*)::int from attempts) as attempts, (select count(*)::int from job_events) as events,
  to_json(array(select provider from provider_settings where paused_at is not null order by 1)) as paused,
  to_json(array(select action || ' ' || actor from audit_log order by 1)) as acts`;

interface Texts {
  readonly id: string;
  readonly job: string;
  readonly attempts: string | null;
  readonly events: string | null;
}

function parseEvent(jobId: string, line: string): EventRow {
  const cells = line.split(" ").map((cell) => (cell === "-" ? null : cell));
  const [number, type, jobState, attemptId, attemptState, cause, actor, digest, told, at] = cells;
  const whole = {
    jobId,
    number: Number(number),
    type,
    jobState,
    attemptId,
    attemptState,
    cause,
    actor,
    digest,
    told,
    at: Number(at),
  };
  return whole as EventRow;
}

function parseJob({ id, job, attempts, events }: Texts): JobRow {
  return {
    ...(JSON.parse(job) as Omit<JobRow, "attempts" | "events">),
    attempts: JSON.parse(attempts ?? "[]") as AttemptRow[],
    events: (events ?? "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => parseEvent(id, line)),
  };
}

/** Reads all rows each time; a job that reads as it did before is the same object, so that what was found out about it still holds. */
export class RowReader {
  readonly #sql: postgres.Sql;
  #known = new Map<string, JobRow>();

  constructor(sql: postgres.Sql) {
    this.#sql = sql;
  }

  async read(): Promise<Rows> {
    const [texts, [others]] = await Promise.all([
      this.#sql.unsafe<Texts[]>(jobsQuery, [], { prepare: true }),
      this.#sql.unsafe<{ attempts: number; events: number; paused: string[]; acts: string[] }[]>(othersQuery, [], {
        prepare: true,
      }),
    ]);
    const known = new Map<string, JobRow>();
    const jobs = texts.map((one) => {
      const text = `${one.job}\n${one.attempts}\n${one.events}`;
      const row = this.#known.get(text) ?? parseJob(one);
      known.set(text, row);
      return row;
    });
    this.#known = known;
    const count = (rowsOf: (job: JobRow) => number): number => jobs.reduce((sum, job) => sum + rowsOf(job), 0);
    const strays = {
      attempts: (others?.attempts ?? 0) - count((job) => job.attempts.length),
      events: (others?.events ?? 0) - count((job) => job.events.length),
    };
    return { jobs, strays, paused: others?.paused ?? [], acts: others?.acts ?? [] };
  }
}
