/**
 * Takes the result slot by compare-and-swap on the job row: the first result whose fence still fits wins. A result that
 * lost is thrown away, and the lost race is recorded once for each attempt and digest (discard-result.ts).
 */
import { createHash } from "node:crypto";
import { canonicalJson } from "../../domain/intent.ts";
import { isLive } from "../../domain/lifecycle.ts";
import type { Sql } from "../connect.ts";
import { changedChannel, notification } from "../notify.ts";
import { answersInOrder, type Mode, type Verb } from "../verb.ts";
import type { CompleteAttempt, CompleteAttemptAnswer } from "../worker-commands.ts";
import { digestOfHeld, discardResult, isDiscardRecorded, type LateResult } from "./discard-result.ts";
import { readTargets, refuseForeign } from "./report-target.ts";

export interface CompletionPlan {
  readonly command: CompleteAttempt;
  /** Set where the slot is out of reach for good: the result is thrown away, and recorded. */
  readonly discard: LateResult | null;
}

interface Row {
  readonly ord: number;
  readonly attemptId: string;
  readonly jobId: string;
}

async function takeSlots(sql: Sql, plans: readonly CompletionPlan[], mode: Mode): Promise<Row[]> {
  return sql<Row[]>`
    with locked as materialized (
      select c.ord::int, c.result, c.actor, c.cause, a.id as attempt, a.job_id, a.job_version
      from unnest(${plans.map((p) => p.command.attemptId)}::uuid[], ${plans.map((p) => p.command.leaseToken)}::text[],
        ${plans.map((p) => JSON.stringify(p.command.result))}::text[], ${plans.map((p) => p.command.actor.name)}::text[],
        ${plans.map((p) => p.command.actor.cause)}::text[]) with ordinality as c(attempt, token, result, actor, cause, ord)
      join attempts a on a.id = c.attempt and a.lease_token = c.token
      join jobs j on j.id = a.job_id
      order by j.id for no key update of j ${mode.alone ? sql`` : sql`skip locked`}
    ),
    held as materialized (select locked.*, onejob_now() as now from locked),
    won as (
      update jobs j set state = 'SUCCEEDED', version = j.version + 1, completed_by = h.attempt, result = h.result::jsonb,
        failure = null, event_count = j.event_count + 2, updated_at = h.now, closed_at = h.now
      from held h
      where j.id = h.job_id and j.version = h.job_version and j.completed_by is null and j.latest_attempt = h.attempt
        and j.state in ('RUNNING', 'UNKNOWN')
      returning j.id, j.event_count, h.ord, h.attempt, h.actor, h.cause, h.now
    ),
    settled as (
      update attempts a set state = 'SUCCEEDED', state_changed_at = w.now, finished_at = w.now, failure = null,
        effect_uncertain = false, lease_expires_at = null
      from won w where a.id = w.attempt
    ),
    told as (
      insert into job_events (job_id, number, type, job_state, attempt_id, attempt_state, cause, actor, at)
      select w.id, w.event_count - 2 + e.step, e.type::job_event_type, 'SUCCEEDED', w.attempt, 'SUCCEEDED',
        w.cause::event_cause, w.actor, w.now
      from won w, (values (1, 'ATTEMPT_SUCCEEDED'), (2, 'JOB_SUCCEEDED')) as e(step, type)
    )
    select w.ord, w.attempt as attempt_id, w.id as job_id,
      ${notification(sql, changedChannel, mode.notifyAs, sql`select id from won`)}
    from won w`;
}

export const completeAttempts: Verb<CompleteAttempt, CompletionPlan, CompleteAttemptAnswer> = {
  name: "completeAttempt",
  keyOf: (command) => command.attemptId,
  // A token that names its providers is judged by the attempt's, which is read first.
  outright: (command) => (command.providers === null ? { command, discard: null } : null),

  async decide(sql, commands) {
    const targets = await readTargets(sql, commands);
    return Promise.all(
      commands.map(async (command, index) => {
        const target = targets[index] ?? null;
        const foreign = refuseForeign(command, target);
        if (foreign !== null || target === null) return { answer: foreign ?? { kind: "not-found" as const } };
        const { attemptId, jobId } = target;
        if (isLive(target.state) && target.job.version === target.jobVersion)
          return { plan: { command, discard: null } };
        const text = canonicalJson(command.result);
        const digest = createHash("sha256").update(text).digest("hex");
        if (target.state === "SUCCEEDED" && digest === (await digestOfHeld(sql, jobId))) {
          return { answer: { kind: "completed" as const, attemptId, jobId, repeated: true } };
        }
        if (await isDiscardRecorded(sql, attemptId, digest)) {
          return { answer: { kind: "discarded" as const, attemptId, jobId, winnerId: target.job.completedBy } };
        }
        return { plan: { command, discard: { attemptId, jobId, digest, bytes: Buffer.byteLength(text) } } };
      }),
    );
  },

  async apply(sql, plans, mode) {
    const [first] = plans;
    if (first?.discard) return discardResult(sql, first.command.actor, first.discard, mode);
    const rows = await takeSlots(sql, plans, mode);
    return {
      answers: answersInOrder(plans, rows, ({ attemptId, jobId }) => ({
        kind: "completed",
        attemptId,
        jobId,
        repeated: false,
      })),
      changedJobIds: rows.map((row) => row.jobId),
      queued: false,
    };
  },
};
