/**
 * Records intents: job, first attempt and their events in one INSERT for the whole batch. The unique constraint on owner
 * and key decides who creates; whether a repeat means the same is judged above, from the digests it answers with.
 */
import { digestVersion } from "../../domain/intent.ts";
import type { CreateJob, CreateJobAnswer } from "../commands.ts";
import { newId } from "../ids.ts";
import { notification, queuedChannel } from "../notify.ts";
import type { Verb } from "../verb.ts";

interface Plan {
  readonly jobId: string;
  readonly attemptId: string;
  readonly command: CreateJob;
}

function planOf(command: CreateJob): Plan {
  return { jobId: newId(), attemptId: newId(), command };
}

/** One row of terms for each pair of operation and provider: they come from one configuration, so they are the same for a pair. */
function distinctTerms(plans: readonly Plan[]): CreateJob[] {
  return [...new Map(plans.map(({ command }) => [`${command.operation} ${command.terms.provider}`, command])).values()];
}

export const createJobs: Verb<CreateJob, Plan, CreateJobAnswer> = {
  name: "createJob",
  keyOf: () => null,
  outright: planOf,

  /** The losers learn who holds their key. A holder that has vanished (its session rolled back) leaves the key to them. */
  async decide(sql, commands) {
    const rows = await sql<{ holder: [string, string, string] | null }[]>`
      select (select jsonb_build_array(j.id, j.given_digest, j.resolved_digest) from jobs j
              where j.owner_id = c.owner_id and j.idempotency_key = c.idempotency_key) as holder
      from unnest(${commands.map((c) => c.ownerId)}::text[], ${commands.map((c) => c.idempotencyKey)}::text[])
        with ordinality as c(owner_id, idempotency_key, ord)
      order by c.ord`;
    return commands.map((command, index) => {
      const holder = rows[index]?.holder ?? null;
      if (holder === null) return { plan: planOf(command) };
      const [jobId, givenDigest, resolvedDigest] = holder;
      return { answer: { created: false, holder: { jobId, givenDigest, resolvedDigest } } };
    });
  },

  async apply(sql, plans, mode) {
    const commands = plans.map((plan) => plan.command);
    const terms = distinctTerms(plans);
    const rows = await sql<{ id: string }[]>`
      with made as (
        insert into jobs (id, latest_attempt, owner_id, idempotency_key, given_digest, resolved_digest, digest_version,
          operation, operation_version, provider, fallback_providers, input, metadata, priority, not_before, traceparent,
          state, event_count, created_at, updated_at)
        select c.id, c.attempt, c.owner_id, c.idempotency_key, c.given_digest, c.resolved_digest, ${digestVersion}::smallint,
          c.operation, c.operation_version, c.provider, array(select jsonb_array_elements_text(c.fallback_providers::jsonb)),
          c.input::jsonb, c.metadata::jsonb, c.priority, c.not_before::timestamptz, c.traceparent, 'QUEUED', 2, clock.now, clock.now
        from (select onejob_now() as now) clock, unnest(
          ${plans.map((p) => p.jobId)}::uuid[], ${plans.map((p) => p.attemptId)}::uuid[],
          ${commands.map((c) => c.ownerId)}::text[], ${commands.map((c) => c.idempotencyKey)}::text[],
          ${commands.map((c) => c.givenDigest)}::text[], ${commands.map((c) => c.resolvedDigest)}::text[],
          ${commands.map((c) => c.operation)}::text[], ${commands.map((c) => c.operationVersion)}::int[],
          ${commands.map((c) => c.terms.provider)}::text[], ${commands.map((c) => JSON.stringify(c.fallbackProviders))}::text[],
          ${commands.map((c) => JSON.stringify(c.input))}::text[],
          ${commands.map((c) => (c.metadata === null ? null : JSON.stringify(c.metadata)))}::text[],
          ${commands.map((c) => c.priority)}::smallint[], ${commands.map((c) => c.notBefore?.toISOString() ?? null)}::text[],
          ${commands.map((c) => c.traceparent)}::text[]
        ) as c(id, attempt, owner_id, idempotency_key, given_digest, resolved_digest, operation, operation_version,
          provider, fallback_providers, input, metadata, priority, not_before, traceparent)
        order by c.owner_id, c.idempotency_key -- two batches meet their keys in the same order, so they cannot deadlock
        on conflict (owner_id, idempotency_key) do nothing
        returning id, latest_attempt, owner_id, operation, provider, priority, not_before, created_at
      ),
      queued as (
        insert into attempts (id, job_id, number, provider, provider_revision, owner_id, operation, priority, attempt_timeout_ms,
          lease_ms, state, state_changed_at, job_version, run_at, created_at)
        select m.latest_attempt, m.id, 1, m.provider, t.revision, m.owner_id, m.operation, m.priority, t.attempt_timeout_ms,
          t.lease_ms, 'QUEUED', m.created_at, 1, greatest(m.not_before, m.created_at), m.created_at
        from made m join unnest(
          ${terms.map((c) => c.operation)}::text[], ${terms.map((c) => c.terms.provider)}::text[],
          ${terms.map((c) => c.terms.providerRevision)}::text[], ${terms.map((c) => c.terms.attemptTimeoutMs)}::int[],
          ${terms.map((c) => c.terms.leaseMs)}::int[]
        ) as t(operation, provider, revision, attempt_timeout_ms, lease_ms)
          on t.operation = m.operation and t.provider = m.provider
      ),
      told as (
        insert into job_events (job_id, number, type, job_state, attempt_id, attempt_state, cause, actor, detail, at)
        select m.id, e.number, e.type::job_event_type, 'QUEUED', case e.number when 2 then m.latest_attempt end,
          case e.number when 2 then 'QUEUED'::attempt_state end, 'OWNER', m.owner_id,
          case e.number when 2 then jsonb_build_object('provider', m.provider) end, m.created_at
        from made m, (values (1, 'JOB_CREATED'), (2, 'ATTEMPT_QUEUED')) as e(number, type)
      )
      select m.id, ${notification(sql, queuedChannel, mode.notifyAs, sql`select id from made`)} from made m`;
    const made = new Set(rows.map((row) => row.id));
    return {
      answers: plans.map(({ jobId }) => (made.has(jobId) ? { created: true, jobId } : null)),
      changedJobIds: [...made],
      queued: rows.length > 0,
    };
  },
};
