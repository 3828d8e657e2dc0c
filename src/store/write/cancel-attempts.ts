/** Declares from outside that an attempt is over: fences it off and frees its job. Nothing follows by itself. */
import type { EventCause } from "../../domain/event.ts";
import { type AttemptState, isLive, type JobState } from "../../domain/lifecycle.ts";
import { failureCodes } from "../../domain/outcome.ts";
import type { CancelAttempt, CancelAttemptAnswer } from "../commands.ts";
import type { Sql } from "../connect.ts";
import { encodeId } from "../ids.ts";
import { changedChannel, notification } from "../notify.ts";
import type { Decision, Verb } from "../verb.ts";
import { audited, entryOf } from "./audit.ts";
import { noteOf } from "./note-token.ts";

interface View {
  readonly attemptId: string;
  readonly jobId: string;
  readonly ownerId: string;
  readonly operation: string;
  readonly state: AttemptState;
  readonly jobState: JobState;
  readonly version: number;
}

interface Plan {
  readonly command: CancelAttempt;
  readonly view: View;
  /** OPERATOR where only an operator may: an operator who owns the job acts as one there. */
  readonly cause: EventCause;
}

const failure = {
  code: failureCodes.attemptCancelled,
  message: "The attempt was cancelled from outside.",
  remedy: "SAME_PROVIDER",
};

async function readViews(sql: Sql, commands: readonly CancelAttempt[]): Promise<Map<string, View>> {
  const rows = await sql<View[]>`
    select a.id as attempt_id, a.state, j.id as job_id, j.owner_id, j.operation, j.state as job_state, j.version
    from attempts a join jobs j on j.id = a.job_id where a.id = any(${commands.map((c) => c.attemptId)}::uuid[])`;
  return new Map(rows.map((row) => [row.attemptId, row]));
}

function decideOne(command: CancelAttempt, view: View | undefined): Decision<Plan, CancelAttemptAnswer> {
  if (view === undefined || (command.scope !== null && view.ownerId !== command.scope))
    return { answer: { kind: "not-found" } };
  const { attemptId, jobId } = view;
  if (view.state === "CANCELLED") return { answer: { kind: "cancelled", jobId, attemptId, repeated: true } };
  if (!isLive(view.state)) return { answer: { kind: "closed", attemptId } };
  // An impatient owner must not be able to free an attempt that may still act.
  const ownerMay = view.state === "QUEUED" || command.ownerMayCancel(view.operation);
  if (!ownerMay && !command.isOperator) return { answer: { kind: "operators-only", attemptId } };
  return { plan: { command, view, cause: ownerMay ? command.actor.cause : "OPERATOR" } };
}

function entryFor({ command, view, cause }: Plan): string | null {
  const actor = { cause, name: command.actor.name };
  return entryOf({ actor, action: "cancelAttempt", target: encodeId("att", view.attemptId), reason: command.reason });
}

export const cancelAttempts: Verb<CancelAttempt, Plan, CancelAttemptAnswer> = {
  name: "cancelAttempt",
  keyOf: (command) => command.attemptId,
  outright: () => null,

  async decide(sql, commands) {
    const views = await readViews(sql, commands);
    return commands.map((command) => decideOne(command, views.get(command.attemptId)));
  },

  async apply(sql, plans, mode) {
    const rows = await sql<{ ord: number }[]>`
      with locked as materialized (
        select c.ord::int, c.job_id, c.attempt, c.version, c.state, c.reason, c.actor, c.cause, c.entry::jsonb, c.note::jsonb
        from unnest(${plans.map((p) => p.view.jobId)}::uuid[], ${plans.map((p) => p.view.attemptId)}::uuid[],
          ${plans.map((p) => p.view.version)}::int[], ${plans.map((p) => p.view.jobState)}::text[],
          ${plans.map((p) => p.command.reason)}::text[], ${plans.map((p) => p.command.actor.name)}::text[],
          ${plans.map((p) => p.cause)}::text[], ${plans.map(entryFor)}::text[],
          ${plans.map((p) => noteOf(p.command.actor))}::text[])
          with ordinality as c(job_id, attempt, version, state, reason, actor, cause, entry, note, ord)
        join jobs j on j.id = c.job_id
        order by j.id for no key update of j ${mode.alone ? sql`` : sql`skip locked`}
      ),
      held as materialized (select locked.*, onejob_now() as now from locked),
      ended as (
        update jobs j set state = 'FAILED', version = j.version + 1, failure = ${JSON.stringify(failure)}::text::jsonb,
          event_count = j.event_count + 2, updated_at = h.now
        from held h
        where j.id = h.job_id and j.version = h.version and j.latest_attempt = h.attempt and j.state = h.state::job_state
          and j.completed_by is null and j.state in ('QUEUED', 'RUNNING', 'UNKNOWN')
        returning j.id, j.event_count, j.failure, h.*
      ),
      settled as (
        update attempts a set state = 'CANCELLED', state_changed_at = e.now, finished_at = e.now, lease_expires_at = null,
          effect_uncertain = a.state <> 'QUEUED', failure = e.failure
        from ended e where a.id = e.attempt
      ),
      told as (
        insert into job_events (job_id, number, type, job_state, attempt_id, attempt_state, cause, actor, detail, at)
        select e.id, e.event_count - 2 + s.step, s.type::job_event_type, 'FAILED', e.attempt, 'CANCELLED', e.cause::event_cause,
          e.actor, s.detail, e.now
        from ended e, lateral (values
          (1, 'ATTEMPT_CANCELLED', jsonb_build_object('reason', e.reason) || e.note), (2, 'JOB_FAILED', e.failure)) as s(step, type, detail)
      ),
      ${audited(sql, "ended")}
      select e.ord, ${notification(sql, changedChannel, mode.notifyAs, sql`select id from ended`)} from ended e`;
    const ended = new Set(rows.map((row) => row.ord));
    return {
      answers: plans.map(({ view: { jobId, attemptId } }, index) =>
        ended.has(index + 1) ? { kind: "cancelled", jobId, attemptId, repeated: false } : null,
      ),
      changedJobIds: plans.filter((_, index) => ended.has(index + 1)).map((plan) => plan.view.jobId),
      queued: false,
    };
  },
};
