/** A create that is still open: a session outside has written job, attempt and events, and has neither committed nor gone. */
import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { CreateJob } from "../../src/store/commands.ts";

export interface OpenCreate {
  readonly jobId: string;
  commit(): Promise<void>;
  rollBack(): Promise<void>;
  /** Ends the session from outside, as a crash of its process or an operator does. */
  kill(): Promise<void>;
}

export async function openCreate(url: string, sql: postgres.Sql, command: CreateJob): Promise<OpenCreate> {
  const [jobId, attemptId] = [randomUUID(), randomUUID()];
  const { terms } = command;
  const session = postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: "open create" } });
  await session`begin`;
  const [backend] = await session<{ pid: number }[]>`
    with made as (
      insert into jobs (id, latest_attempt, owner_id, idempotency_key, given_digest, resolved_digest, digest_version, operation,
        operation_version, provider, fallback_providers, state, event_count, created_at, updated_at)
      values (${jobId}, ${attemptId}, ${command.ownerId}, ${command.idempotencyKey}, ${command.givenDigest},
        ${command.resolvedDigest}, 1, ${command.operation}, ${command.operationVersion}, ${terms.provider}, '{}', 'QUEUED', 2,
        onejob_now(), onejob_now())
    ), queued as (
      insert into attempts (id, job_id, number, provider, provider_revision, owner_id, operation, attempt_timeout_ms, lease_ms, state,
        state_changed_at, job_version, run_at, created_at)
      values (${attemptId}, ${jobId}, 1, ${terms.provider}, ${terms.providerRevision}, ${command.ownerId}, ${command.operation},
        ${terms.attemptTimeoutMs}, ${terms.leaseMs}, 'QUEUED', onejob_now(), 1, onejob_now(), onejob_now())
    ), told as (
      insert into job_events (job_id, number, type, job_state, attempt_id, attempt_state, cause, at)
      values (${jobId}, 1, 'JOB_CREATED', 'QUEUED', null, null, 'OWNER', onejob_now()),
        (${jobId}, 2, 'ATTEMPT_QUEUED', 'QUEUED', ${attemptId}, 'QUEUED', 'OWNER', onejob_now())
    )
    select pg_backend_pid() as pid`;
  return {
    jobId,
    async commit() {
      await session`commit`;
      await session.end();
    },
    async rollBack() {
      await session`rollback`;
      await session.end();
    },
    async kill() {
      await sql`select pg_terminate_backend(${backend?.pid ?? 0})`;
      await session.end({ timeout: 0 });
    },
  };
}
