/**
 * Ends attempts by a certain failure and, in the same statement, queues what follows by itself: another try, a certified
 * fallback, or nothing. Failures that are not certain are lose-attempts.ts.
 */

import { changedChannel, notification, queuedChannel } from "../notify.ts";
import { answersInOrder, type Verb } from "../verb.ts";
import type { FailAttempt, FailAttemptAnswer } from "../worker-commands.ts";
import { decideFailures, type FailurePlan } from "./decide-failures.ts";

interface Row {
  readonly ord: number;
  readonly attemptId: string;
  readonly jobId: string;
}

export const failAttempts: Verb<FailAttempt, FailurePlan, FailAttemptAnswer> = {
  name: "failAttempt",
  keyOf: (command) => command.attemptId,
  // What follows depends on the tries so far, which are read; the fence keeps them from changing until the statement.
  outright: () => null,
  decide: decideFailures,

  async apply(sql, plans, mode) {
    const queues = plans.some((plan) => plan.next !== null);
    const rows = await sql<Row[]>`
      with gate as materialized (
        select c.id from certifications c
        where c.id = any(${plans.flatMap((p) => p.next?.certificationId ?? [])}::uuid[])
          and c.status = 'PASSED' and (c.expires_at is null or c.expires_at > onejob_now())
        order by c.id for share
      ),
      locked as materialized (
        select c.ord::int, c.failure, c.uncertain, c.actor, c.cause, c.refused, c.next_id, c.next_provider, c.next_revision,
          c.next_timeout_ms, c.next_lease_ms, c.next_delay_ms, c.next_certification, a.id as attempt, a.job_id, a.job_version
        from unnest(
          ${plans.map((p) => p.command.attemptId)}::uuid[], ${plans.map((p) => p.command.leaseToken)}::text[],
          ${plans.map((p) => JSON.stringify(p.command.failure))}::text[], ${plans.map((p) => String(p.command.effectUncertain))}::text[],
          ${plans.map((p) => p.command.actor.name)}::text[], ${plans.map((p) => p.command.actor.cause)}::text[],
          ${plans.map((p) => (p.refused === null ? null : JSON.stringify(p.refused)))}::text[],
          ${plans.map((p) => p.next?.attemptId ?? null)}::uuid[], ${plans.map((p) => p.next?.terms.provider ?? null)}::text[],
          ${plans.map((p) => p.next?.terms.providerRevision ?? null)}::text[],
          ${plans.map((p) => p.next?.terms.attemptTimeoutMs ?? null)}::int[], ${plans.map((p) => p.next?.terms.leaseMs ?? null)}::int[],
          ${plans.map((p) => p.next?.delayMs ?? null)}::int[], ${plans.map((p) => p.next?.certificationId ?? null)}::uuid[]
        ) with ordinality as c(attempt, token, failure, uncertain, actor, cause, refused, next_id, next_provider, next_revision,
          next_timeout_ms, next_lease_ms, next_delay_ms, next_certification, ord)
        join attempts a on a.id = c.attempt and a.lease_token = c.token
        join jobs j on j.id = a.job_id
        order by j.id for no key update of j ${mode.alone ? sql`` : sql`skip locked`}
      ),
      held as materialized (select locked.*, onejob_now() as now from locked),
      ended as (
        update jobs j set version = j.version + 1, updated_at = h.now,
          state = (case when h.next_id is null then 'FAILED' else 'QUEUED' end)::job_state,
          failure = case when h.next_id is null then h.failure::jsonb end,
          latest_attempt = coalesce(h.next_id, j.latest_attempt), attempt_count = j.attempt_count + (h.next_id is not null)::int,
          event_count = j.event_count + 2 + (h.refused is not null)::int
        from held h
        where j.id = h.job_id and j.version = h.job_version and j.completed_by is null and j.latest_attempt = h.attempt
          and j.state in ('RUNNING', 'UNKNOWN')
          and (h.next_certification is null or h.next_certification in (select id from gate))
        returning j.id, j.version, j.state, j.event_count, j.attempt_count, j.owner_id, j.operation, j.priority, h.*
      ),
      settled as (
        update attempts a set state = 'FAILED', state_changed_at = e.now, finished_at = e.now, failure = e.failure::jsonb,
          effect_uncertain = e.uncertain::boolean, lease_expires_at = null
        from ended e where a.id = e.attempt
        returning e.*
      ),
      queued as (
        -- Selecting from what ended the attempt before it is what keeps the index on live attempts satisfied.
        insert into attempts (id, job_id, number, provider, provider_revision, owner_id, operation, priority, attempt_timeout_ms, lease_ms,
          state, state_changed_at, job_version, certification_id, run_at, created_at)
        select s.next_id, s.id, s.attempt_count, s.next_provider, s.next_revision, s.owner_id, s.operation, s.priority, s.next_timeout_ms,
          s.next_lease_ms, 'QUEUED', s.now, s.version, s.next_certification, s.now + s.next_delay_ms * interval '1 millisecond', s.now
        from settled s where s.next_id is not null
      ),
      told as (
        insert into job_events (job_id, number, type, job_state, attempt_id, attempt_state, cause, actor, detail, at)
        select s.id, s.event_count - count(*) over (partition by s.id) + row_number() over (partition by s.id order by e.step),
          e.type::job_event_type, s.state, e.attempt, e.attempt_state::attempt_state,
          case when e.step = 1 then s.cause::event_cause else 'POLICY' end, case when e.step = 1 then s.actor end, e.detail, s.now
        from settled s, lateral (values
          (1, 'ATTEMPT_FAILED', s.attempt, 'FAILED', s.failure::jsonb),
          (2, case when s.refused is not null then 'FAILOVER_REFUSED' end, s.attempt, 'FAILED', s.refused::jsonb),
          (3, case when s.next_id is null then 'JOB_FAILED' end, s.attempt, 'FAILED', s.failure::jsonb),
          (3, case when s.next_id is not null then 'ATTEMPT_QUEUED' end, s.next_id, 'QUEUED',
            jsonb_build_object('provider', s.next_provider, 'delayMs', s.next_delay_ms, 'certified', s.next_certification is not null))
        ) as e(step, type, attempt, attempt_state, detail)
        where e.type is not null
      )
      select s.ord, s.attempt as attempt_id, s.id as job_id,
        ${notification(sql, queues ? queuedChannel : changedChannel, mode.notifyAs, sql`select id from settled`)}
      from settled s`;
    return {
      answers: answersInOrder(plans, rows, ({ attemptId, jobId }) => ({
        kind: "recorded",
        attemptId,
        jobId,
        repeated: false,
      })),
      changedJobIds: rows.map((row) => row.jobId),
      queued: queues && rows.length > 0,
      dueAfterMs: rows.flatMap(({ ord }) => plans[ord - 1]?.next?.delayMs ?? []),
    };
  },
};
