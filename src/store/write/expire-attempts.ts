/** The sweep: attempts past their deadline or lease become UNKNOWN, never FAILED, by the database's clock. It asks no provider. */
import { failureCodes } from "../../domain/outcome.ts";
import type { Sql } from "../connect.ts";
import { changedChannel, notification } from "../notify.ts";
import type { Expired } from "../worker-commands.ts";

const failures = {
  DEADLINE: {
    code: failureCodes.deadlineExceeded,
    message: "No answer came before the deadline. The provider may still be at work.",
    remedy: "NONE",
  },
  LEASE: {
    code: failureCodes.leaseExpired,
    message: "The worker was not heard of for a whole lease. The provider may still be at work.",
    remedy: "NONE",
  },
};

/** Jobs are locked in the order of their ids; rows that others hold are left for the next sweep. */
export async function expireAttempts(sql: Sql, limit: number, notifyAs: string | null): Promise<Expired[]> {
  const rows = await sql<Expired[]>`
    with locked as materialized (
      select a.id as attempt, a.job_id from attempts a join jobs j on j.id = a.job_id
      where a.held and least(a.deadline_at, a.lease_expires_at) <= (select onejob_now())
      order by j.id limit ${limit} for no key update of j skip locked
    ),
    held as materialized (select locked.*, onejob_now() as now from locked),
    lost as (
      update attempts a set state = 'UNKNOWN', state_changed_at = h.now, effect_uncertain = true, lease_expires_at = null,
        failure = case when a.deadline_at <= a.lease_expires_at then ${JSON.stringify(failures.DEADLINE)}::text::jsonb
          else ${JSON.stringify(failures.LEASE)}::text::jsonb end
      from held h
      where a.id = h.attempt and a.state in ('STARTING', 'RUNNING') and least(a.deadline_at, a.lease_expires_at) <= h.now
      returning a.id, a.job_id, a.failure, h.now,
        (case when a.failure ->> 'code' = ${failureCodes.deadlineExceeded} then 'DEADLINE' else 'LEASE' end)::event_cause as cause
    ),
    moved as (
      update jobs j set state = 'UNKNOWN', event_count = j.event_count + 1, updated_at = l.now
      from lost l where j.id = l.job_id
      returning j.id, j.event_count, l.id as attempt, l.failure, l.cause, l.now
    ),
    told as (
      insert into job_events (job_id, number, type, job_state, attempt_id, attempt_state, cause, detail, at)
      select m.id, m.event_count, 'ATTEMPT_UNKNOWN', 'UNKNOWN', m.attempt, 'UNKNOWN', m.cause, m.failure, m.now from moved m
    )
    select m.attempt as attempt_id, m.id as job_id, m.cause,
      ${notification(sql, changedChannel, notifyAs, sql`select id from moved`)}
    from moved m`;
  return rows.map(({ attemptId, jobId, cause }) => ({ attemptId, jobId, cause }));
}
