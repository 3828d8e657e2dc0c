/** What someone in psql tries to write past the store, each with the SQLSTATE by which the database must refuse it. */
import type postgres from "postgres";
import { isLive, latestOf, type ModelJob } from "./model/world.ts";

interface Deed {
  readonly refusedBy: string;
  /** Whether it would break a rule on this job as it stands. */
  fits(job: ModelJob): boolean;
  write(sql: postgres.Sql, jobId: string): Promise<unknown>;
}

const isOpen = (job: ModelJob): boolean => job.closedAt === null;
const hasLive = (job: ModelJob): boolean => isLive(latestOf(job).state);

const deeds: Readonly<Record<string, Deed>> = {
  "second live attempt": {
    refusedBy: "23505",
    fits: hasLive,
    write: (sql, id) => sql`
      insert into attempts (id, job_id, number, provider, provider_revision, owner_id, operation, attempt_timeout_ms, lease_ms, state,
        state_changed_at, job_version, run_at, created_at)
      select gen_random_uuid(), a.job_id, a.number + 1, provider, provider_revision, owner_id, operation,
        attempt_timeout_ms, lease_ms, 'QUEUED', onejob_now(), a.job_version + 1, onejob_now(), onejob_now() from attempts a where a.job_id = ${id} order by number desc limit 1`,
  },
  "second job for a key": {
    refusedBy: "23505",
    fits: () => true,
    write: (sql, id) => sql`
      insert into jobs (id, owner_id, idempotency_key, given_digest, resolved_digest, digest_version, operation, operation_version,
        provider, fallback_providers, input, state, event_count, latest_attempt, created_at, updated_at)
      select gen_random_uuid(), owner_id, idempotency_key, given_digest, resolved_digest, digest_version, operation, operation_version,
        provider, fallback_providers, input, 'QUEUED', 1, latest_attempt, created_at, updated_at from jobs where id = ${id}`,
  },
  "job deleted": {
    refusedBy: "OJ001",
    fits: (job) => job.purgedAt === null,
    write: (sql, id) => sql`delete from jobs where id = ${id}`,
  },
  "another intent": {
    refusedBy: "OJ002",
    fits: isOpen,
    write: (sql, id) => sql`update jobs set operation = 'other' where id = ${id}`,
  },
  "another result": {
    // The trigger on closed jobs comes before the one on the slot.
    refusedBy: "OJ007",
    fits: (job) => job.state === "SUCCEEDED" && job.purgedAt === null,
    write: (sql, id) => sql`update jobs set result = '"meddled"' where id = ${id}`,
  },
  "version two up": {
    refusedBy: "OJ006",
    fits: isOpen,
    write: (sql, id) => sql`update jobs set version = version + 2 where id = ${id}`,
  },
  "another token": {
    refusedBy: "OJ006",
    fits: (job) => job.attempts[0]?.token !== null,
    write: (sql, id) => sql`update attempts set lease_token = 'meddled' where job_id = ${id} and number = 1`,
  },
  "another fence": {
    refusedBy: "OJ007",
    fits: () => true,
    write: (sql, id) => sql`update attempts set job_version = job_version + 7 where job_id = ${id} and number = 1`,
  },
  "ended attempt revived": {
    refusedBy: "OJ007",
    fits: (job) => job.attempts.some((one) => !isLive(one.state)),
    write: (sql, id) =>
      sql`update attempts set state = 'RUNNING', finished_at = null where job_id = ${id} and finished_at is not null`,
  },
  "closed job reopened": {
    refusedBy: "OJ007",
    fits: (job) => job.state === "CANCELLED",
    write: (sql, id) => sql`update jobs set state = 'QUEUED', closed_at = null where id = ${id}`,
  },
  "gap in the log": {
    refusedBy: "OJ008",
    fits: () => true,
    write: (sql, id) => sql`
      insert into job_events (job_id, number, type, job_state, cause, at)
      select id, event_count + 2, 'JOB_FAILED', state, 'POLICY', onejob_now() from jobs where id = ${id}`,
  },
  "event rewritten": {
    refusedBy: "OJ008",
    fits: () => true,
    write: (sql, id) => sql`update job_events set actor = 'nobody' where job_id = ${id} and number = 1`,
  },
};

/** Deeds that the database must refuse on this job; without its triggers, what constraints and indexes refuse alone. */
export function deedsFor(job: ModelJob, guarded: boolean): string[] {
  return Object.entries(deeds).flatMap(([name, deed]) =>
    deed.fits(job) && (guarded || !deed.refusedBy.startsWith("OJ")) ? [name] : [],
  );
}

export async function meddle(sql: postgres.Sql, name: string, jobId: string): Promise<string> {
  const deed = deeds[name];
  if (deed === undefined) throw new Error(`There is no such deed: ${name}`);
  try {
    await deed.write(sql, jobId);
    return "accepted";
  } catch (error) {
    const code = (error as { code?: string }).code ?? String(error);
    return code === deed.refusedBy ? "refused" : `refused by ${code}, not by ${deed.refusedBy}`;
  }
}
