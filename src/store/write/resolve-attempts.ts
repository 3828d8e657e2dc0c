/**
 * Settles attempts whose outcome was found out elsewhere, by an operator or by a look-up. Nothing follows by itself. It
 * takes the result slot by the same compare-and-swap as a completion, and a result that lost is recorded like one.
 */
import { createHash } from "node:crypto";
import { canonicalJson } from "../../domain/intent.ts";
import type { Json } from "../../domain/json.ts";
import { type AttemptState, isLive } from "../../domain/lifecycle.ts";
import type { Sql } from "../connect.ts";
import { encodeId } from "../ids.ts";
import { changedChannel, notification } from "../notify.ts";
import type { ResolveAttempt, ResolveAttemptAnswer } from "../operator-commands.ts";
import type { Applied, Decision, Mode, Verb } from "../verb.ts";
import { audited, entryOf } from "./audit.ts";
import { digestOfHeld, discardResult, isDiscardRecorded, type LateResult } from "./discard-result.ts";

interface View {
  readonly attemptId: string;
  readonly jobId: string;
  readonly state: AttemptState;
  readonly jobVersion: number;
  readonly version: number;
  readonly completedBy: string | null;
}

interface Plan {
  readonly command: ResolveAttempt;
  readonly view: View;
  /** Set where the slot is out of reach for good. */
  readonly discard: LateResult | null;
}

async function readViews(sql: Sql, commands: readonly ResolveAttempt[]): Promise<Map<string, View>> {
  const rows = await sql<View[]>`
    select a.id as attempt_id, a.job_id, a.state, a.job_version, j.version, j.completed_by
    from attempts a join jobs j on j.id = a.job_id where a.id = any(${commands.map((c) => c.attemptId)}::uuid[])`;
  return new Map(rows.map((row) => [row.attemptId, row]));
}

async function decideOne(
  sql: Sql,
  command: ResolveAttempt,
  view: View | undefined,
): Promise<Decision<Plan, ResolveAttemptAnswer>> {
  if (view === undefined) return { answer: { kind: "not-found" } };
  const { attemptId, jobId, state } = view;
  if (state === "QUEUED") return { answer: { kind: "not-started", attemptId } };
  if (isLive(state)) return { plan: { command, view, discard: null } };
  if (command.outcome.kind === "SUCCEEDED") return decideLate(sql, command, view, command.outcome.result);
  if (state === "FAILED") return { answer: { kind: "resolved", attemptId, jobId, repeated: true } };
  return { answer: { kind: "closed", attemptId } };
}

/** The attempt has ended: with this very result, or the result comes too late. */
async function decideLate(
  sql: Sql,
  command: ResolveAttempt,
  view: View,
  result: Json,
): Promise<Decision<Plan, ResolveAttemptAnswer>> {
  const { attemptId, jobId } = view;
  const text = canonicalJson(result);
  const digest = createHash("sha256").update(text).digest("hex");
  if (view.state === "SUCCEEDED" && digest === (await digestOfHeld(sql, jobId)))
    return { answer: { kind: "resolved", attemptId, jobId, repeated: true } };
  if (await isDiscardRecorded(sql, attemptId, digest))
    return { answer: { kind: "discarded", attemptId, jobId, winnerId: view.completedBy } };
  return { plan: { command, view, discard: { attemptId, jobId, digest, bytes: Buffer.byteLength(text) } } };
}

function entryFor({ command, view }: Plan): string | null {
  const { actor, action, evidence, outcome, reason } = command;
  return entryOf({
    actor,
    action,
    target: encodeId("att", view.attemptId),
    reason: reason ?? evidence,
    detail: { outcome: outcome.kind, ...(outcome.kind === "FAILED" && { remedy: outcome.failure.remedy }) },
  });
}

async function settle(sql: Sql, plans: readonly Plan[], mode: Mode): Promise<{ ord: number }[]> {
  const outcomes = plans.map((plan) => plan.command.outcome);
  return sql<{ ord: number }[]>`
    with locked as materialized (
      select c.ord::int, c.job_id, c.attempt, c.version, c.outcome, c.result, c.failure::jsonb, c.uncertain::boolean, c.evidence,
        c.looked_up::boolean, c.actor, c.cause, c.entry::jsonb
      from unnest(${plans.map((p) => p.view.jobId)}::uuid[], ${plans.map((p) => p.view.attemptId)}::uuid[],
        ${plans.map((p) => p.view.version)}::int[], ${outcomes.map((o) => o.kind)}::text[],
        ${outcomes.map((o) => (o.kind === "SUCCEEDED" ? JSON.stringify(o.result) : null))}::text[],
        ${outcomes.map((o) => (o.kind === "FAILED" ? JSON.stringify(o.failure) : null))}::text[],
        ${outcomes.map((o) => String(o.kind === "FAILED" && o.effectUncertain))}::text[],
        ${plans.map((p) => p.command.evidence)}::text[], ${plans.map((p) => String(p.command.action === "lookUpAttempt"))}::text[],
        ${plans.map((p) => p.command.actor.name)}::text[], ${plans.map((p) => p.command.actor.cause)}::text[],
        ${plans.map(entryFor)}::text[])
        with ordinality as c(job_id, attempt, version, outcome, result, failure, uncertain, evidence, looked_up, actor, cause, entry, ord)
      join jobs j on j.id = c.job_id
      order by j.id for no key update of j ${mode.alone ? sql`` : sql`skip locked`}
    ),
    held as materialized (select locked.*, onejob_now() as now from locked),
    ended as (
      update jobs j set state = h.outcome::job_state, version = j.version + 1, failure = h.failure,
        completed_by = case h.outcome when 'SUCCEEDED' then h.attempt end, result = h.result::jsonb,
        closed_at = case h.outcome when 'SUCCEEDED' then h.now end, event_count = j.event_count + 2, updated_at = h.now
      from held h
      where j.id = h.job_id and j.version = h.version and j.completed_by is null and j.latest_attempt = h.attempt
        and j.state in ('RUNNING', 'UNKNOWN')
      returning j.id, j.event_count, h.*
    ),
    settled as (
      update attempts a set state = e.outcome::attempt_state, state_changed_at = e.now, finished_at = e.now,
        failure = e.failure, effect_uncertain = e.uncertain, lease_expires_at = null,
        looked_up_at = case when e.looked_up then e.now else a.looked_up_at end
      from ended e where a.id = e.attempt
    ),
    told as (
      insert into job_events (job_id, number, type, job_state, attempt_id, attempt_state, cause, actor, detail, at)
      select e.id, e.event_count - 2 + s.step, (s.kind || '_' || e.outcome)::job_event_type, e.outcome::job_state, e.attempt,
        e.outcome::attempt_state, e.cause::event_cause, e.actor,
        coalesce(e.failure, '{}') || jsonb_build_object('evidence', e.evidence), e.now
      from ended e, (values (1, 'ATTEMPT'), (2, 'JOB')) as s(step, kind)
    ),
    ${audited(sql, "ended")}
    select e.ord, ${notification(sql, changedChannel, mode.notifyAs, sql`select id from ended`)} from ended e`;
}

export const resolveAttempts: Verb<ResolveAttempt, Plan, ResolveAttemptAnswer> = {
  name: "resolveAttempt",
  keyOf: (command) => command.attemptId,
  outright: () => null,

  async decide(sql, commands) {
    const views = await readViews(sql, commands);
    return Promise.all(commands.map((command) => decideOne(sql, command, views.get(command.attemptId))));
  },

  async apply(sql, plans, mode): Promise<Applied<ResolveAttemptAnswer>> {
    const [first] = plans;
    // Alone; whatever else is in the batch is left for its own turn, and so is a discard behind others: its fence fits no more.
    if (first?.discard) return discardResult(sql, first.command.actor, first.discard, mode);
    const ended = new Set((await settle(sql, plans, mode)).map((row) => row.ord));
    return {
      answers: plans.map(({ view: { jobId, attemptId } }, index) =>
        ended.has(index + 1) ? { kind: "resolved", jobId, attemptId, repeated: false } : null,
      ),
      changedJobIds: plans.filter((_, index) => ended.has(index + 1)).map((plan) => plan.view.jobId),
      queued: false,
    };
  },
};
