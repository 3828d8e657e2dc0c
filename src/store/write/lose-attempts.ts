/** Makes attempts UNKNOWN on a worker's word: the answer was unclear, so the provider may have acted. A sweep does it in expire-attempts.ts. */
import { isHeld, isLive } from "../../domain/lifecycle.ts";
import { changedChannel, notification } from "../notify.ts";
import { answersInOrder, type Verb } from "../verb.ts";
import type { FailAttempt, FailAttemptAnswer } from "../worker-commands.ts";
import { readTargets, refuseForeign } from "./report-target.ts";

interface Row {
  readonly ord: number;
  readonly attemptId: string;
  readonly jobId: string;
}

export const loseAttempts: Verb<FailAttempt, FailAttempt, FailAttemptAnswer> = {
  name: "failAttempt (uncertain)",
  keyOf: (command) => command.attemptId,
  // A token that names its providers is judged by the attempt's, which is read first.
  outright: (command) => (command.providers === null ? command : null),

  async decide(sql, commands) {
    const targets = await readTargets(sql, commands);
    return commands.map((command, index) => {
      const target = targets[index] ?? null;
      const foreign = refuseForeign(command, target);
      if (foreign !== null || target === null) return { answer: foreign ?? { kind: "not-found" } };
      const { attemptId, jobId } = target;
      if (isHeld(target.state)) return { plan: command };
      return {
        answer: isLive(target.state)
          ? { kind: "recorded", attemptId, jobId, repeated: true }
          : { kind: "closed", attemptId, jobId },
      };
    });
  },

  async apply(sql, plans, mode) {
    const rows = await sql<Row[]>`
      with locked as materialized (
        select c.ord::int, c.failure, c.actor, c.cause, a.id as attempt, a.job_id
        from unnest(${plans.map((p) => p.attemptId)}::uuid[], ${plans.map((p) => p.leaseToken)}::text[],
          ${plans.map((p) => JSON.stringify(p.failure))}::text[], ${plans.map((p) => p.actor.name)}::text[],
          ${plans.map((p) => p.actor.cause)}::text[]) with ordinality as c(attempt, token, failure, actor, cause, ord)
        join attempts a on a.id = c.attempt and a.lease_token = c.token
        join jobs j on j.id = a.job_id
        order by j.id for no key update of j ${mode.alone ? sql`` : sql`skip locked`}
      ),
      held as materialized (select locked.*, onejob_now() as now from locked),
      lost as (
        update attempts a set state = 'UNKNOWN', state_changed_at = h.now, effect_uncertain = true, lease_expires_at = null,
          failure = h.failure::jsonb
        from held h where a.id = h.attempt and a.state in ('STARTING', 'RUNNING')
        returning a.id, a.job_id, h.ord, h.failure, h.actor, h.cause, h.now
      ),
      moved as (
        update jobs j set state = 'UNKNOWN', event_count = j.event_count + 1, updated_at = l.now
        from lost l where j.id = l.job_id
        returning j.id, j.event_count, l.id as attempt, l.ord, l.failure, l.actor, l.cause, l.now
      ),
      told as (
        insert into job_events (job_id, number, type, job_state, attempt_id, attempt_state, cause, actor, detail, at)
        select m.id, m.event_count, 'ATTEMPT_UNKNOWN', 'UNKNOWN', m.attempt, 'UNKNOWN', m.cause::event_cause, m.actor,
          m.failure::jsonb, m.now
        from moved m
      )
      select m.ord, m.attempt as attempt_id, m.id as job_id,
        ${notification(sql, changedChannel, mode.notifyAs, sql`select id from moved`)}
      from moved m`;
    return {
      answers: answersInOrder(plans, rows, ({ attemptId, jobId }) => ({
        kind: "recorded",
        attemptId,
        jobId,
        repeated: false,
      })),
      changedJobIds: rows.map((row) => row.jobId),
      queued: false,
    };
  },
};
