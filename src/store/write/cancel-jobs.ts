/** Withdraws intents, each with its live attempt. It calls no provider: the caller does, best effort, once this has committed. */
import { isClosed, type JobState } from "../../domain/lifecycle.ts";
import type { CancelJob, CancelJobAnswer } from "../commands.ts";
import type { Sql } from "../connect.ts";
import { encodeId } from "../ids.ts";
import { changedChannel, notification } from "../notify.ts";
import type { Decision, Verb } from "../verb.ts";
import { audited, entryOf } from "./audit.ts";
import { noteOf } from "./note-token.ts";

interface View {
  readonly jobId: string;
  readonly ownerId: string;
  readonly state: JobState;
  readonly version: number;
  readonly latestAttempt: string;
}

interface Plan {
  readonly command: CancelJob;
  readonly view: View;
}

async function readViews(sql: Sql, commands: readonly CancelJob[]): Promise<Map<string, View>> {
  const rows = await sql<View[]>`
    select id as job_id, owner_id, state, version, latest_attempt from jobs where id = any(${commands.map((c) => c.jobId)}::uuid[])`;
  return new Map(rows.map((row) => [row.jobId, row]));
}

function decideOne(command: CancelJob, view: View | undefined): Decision<Plan, CancelJobAnswer> {
  if (view === undefined || (command.scope !== null && view.ownerId !== command.scope))
    return { answer: { kind: "not-found" } };
  const { jobId } = view;
  if (view.state === "CANCELLED")
    return { answer: { kind: "cancelled", jobId, cancelledAttemptId: null, repeated: true } };
  return isClosed(view.state) ? { answer: { kind: "closed", jobId } } : { plan: { command, view } };
}

function entryFor({ command: { actor, reason, call }, view }: Plan): string | null {
  const action = call === undefined ? "cancelJob" : "cancelJobs";
  return entryOf({ actor, action, target: encodeId("job", view.jobId), reason });
}

export const cancelJobs: Verb<CancelJob, Plan, CancelJobAnswer> = {
  name: "cancelJob",
  keyOf: (command) => command.jobId,
  outright: () => null,

  async decide(sql, commands) {
    const views = await readViews(sql, commands);
    return commands.map((command) => decideOne(command, views.get(command.jobId)));
  },

  async apply(sql, plans, mode) {
    const rows = await sql<{ ord: number }[]>`
      with locked as materialized (
        select c.ord::int, c.job_id, c.latest, c.version, c.state, c.reason, c.actor, c.cause, c.entry::jsonb, c.call, c.note::jsonb
        from unnest(${plans.map((p) => p.view.jobId)}::uuid[], ${plans.map((p) => p.view.latestAttempt)}::uuid[],
          ${plans.map((p) => p.view.version)}::int[], ${plans.map((p) => p.view.state)}::text[],
          ${plans.map((p) => p.command.reason)}::text[], ${plans.map((p) => p.command.actor.name)}::text[],
          ${plans.map((p) => p.command.actor.cause)}::text[], ${plans.map(entryFor)}::text[], ${plans.map((p) => p.command.call ?? null)}::text[],
          ${plans.map((p) => noteOf(p.command.actor))}::text[])
          with ordinality as c(job_id, latest, version, state, reason, actor, cause, entry, call, note, ord)
        join jobs j on j.id = c.job_id
        order by j.id for no key update of j ${mode.alone ? sql`` : sql`skip locked`}
      ),
      held as materialized (select locked.*, onejob_now() as now from locked),
      closed as (
        -- A retry that got in between has put another attempt there, which this snapshot cannot see: then nothing matches.
        update jobs j set state = 'CANCELLED', version = j.version + 1, failure = null, updated_at = h.now, closed_at = h.now,
          event_count = j.event_count + case h.state when 'FAILED' then 1 else 2 end
        from held h
        where j.id = h.job_id and j.version = h.version and j.latest_attempt = h.latest and j.state = h.state::job_state
          and j.completed_by is null and j.state <> 'CANCELLED'
        returning j.id, j.event_count, h.*
      ),
      settled as (
        update attempts a set state = 'CANCELLED', state_changed_at = c.now, finished_at = c.now, lease_expires_at = null,
          effect_uncertain = a.state <> 'QUEUED'
        from closed c where a.id = c.latest and c.state <> 'FAILED'
      ),
      told as (
        insert into job_events (job_id, number, type, job_state, attempt_id, attempt_state, cause, actor, detail, at)
        select c.id, c.event_count - 2 + s.step, s.type::job_event_type, 'CANCELLED', s.attempt, s.attempt_state::attempt_state,
          c.cause::event_cause, c.actor, jsonb_build_object('reason', c.reason) || c.note, c.now
        from closed c, lateral (values
          (1, 'ATTEMPT_CANCELLED', c.latest, 'CANCELLED'), (2, 'JOB_CANCELLED', null::uuid, null)) as s(step, type, attempt, attempt_state)
        where s.step = 2 or c.state <> 'FAILED'
      ),
      acts as (
        select c.now, c.entry from closed c where c.call is null
        union all
        -- What one call withdraws by this statement is one act on many.
        select max(c.now), min(c.entry::text)::jsonb || jsonb_build_object('target', null,
          'detail', jsonb_build_object('jobIds', jsonb_agg(c.entry->'target' order by c.ord)))
        from closed c where c.call is not null and c.entry is not null group by c.call
      ),
      ${audited(sql, "acts")}
      select c.ord, ${notification(sql, changedChannel, mode.notifyAs, sql`select id from closed`)} from closed c`;
    const closed = new Set(rows.map((row) => row.ord));
    return {
      answers: plans.map(({ view }, index) => {
        if (!closed.has(index + 1)) return null;
        const cancelledAttemptId = view.state === "FAILED" ? null : view.latestAttempt;
        return { kind: "cancelled", jobId: view.jobId, cancelledAttemptId, repeated: false };
      }),
      changedJobIds: plans.filter((_, index) => closed.has(index + 1)).map((plan) => plan.view.jobId),
      queued: false,
    };
  },
};
