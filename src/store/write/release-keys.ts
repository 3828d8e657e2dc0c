/**
 * Removes purged jobs altogether, with attempts and events, so that their keys may record new intents. It is the only verb
 * that deletes; whatever has not been purged by retention is refused.
 */
import { isLive } from "../../domain/lifecycle.ts";
import type { Sql } from "../connect.ts";
import { encodeId } from "../ids.ts";
import { changedChannel, notification } from "../notify.ts";
import type { ReleaseKey, ReleaseKeyAnswer } from "../operator-commands.ts";
import type { Decision, Verb } from "../verb.ts";
import { audited, entryOf } from "./audit.ts";

interface View {
  readonly ord: number;
  readonly jobId: string;
  readonly eventCount: number;
  readonly isPurged: boolean;
  readonly latestState: Parameters<typeof isLive>[0];
}

interface Plan {
  readonly command: ReleaseKey;
  readonly view: View;
}

async function readViews(sql: Sql, commands: readonly ReleaseKey[]): Promise<Map<number, View>> {
  const rows = await sql<View[]>`
    select c.ord::int, j.id as job_id, j.event_count, j.purged_at is not null as is_purged, a.state as latest_state
    from unnest(${commands.map((c) => c.ownerId)}::text[], ${commands.map((c) => c.idempotencyKey)}::text[])
      with ordinality as c(owner_id, key, ord)
    join jobs j on j.owner_id = c.owner_id and j.idempotency_key = c.key
    join attempts a on a.id = j.latest_attempt`;
  return new Map(rows.map((row) => [row.ord, row]));
}

function decideOne(command: ReleaseKey, view: View | undefined): Decision<Plan, ReleaseKeyAnswer> {
  if (view === undefined) return { answer: { kind: "not-found" } };
  if (!view.isPurged || isLive(view.latestState)) return { answer: { kind: "in-use", jobId: view.jobId } };
  return { plan: { command, view } };
}

function entryFor({ command, view }: Plan): string | null {
  const { actor, ownerId, idempotencyKey, reason } = command;
  const target = encodeId("job", view.jobId);
  return entryOf({ actor, action: "releaseKey", target, reason, detail: { ownerId, idempotencyKey } });
}

export const releaseKeys: Verb<ReleaseKey, Plan, ReleaseKeyAnswer> = {
  name: "releaseKey",
  keyOf: (command) => JSON.stringify([command.ownerId, command.idempotencyKey]),
  outright: () => null,

  async decide(sql, commands) {
    const views = await readViews(sql, commands);
    return commands.map((command, index) => decideOne(command, views.get(index + 1)));
  },

  async apply(sql, plans, mode) {
    const rows = await sql<{ ord: number }[]>`
      with locked as materialized (
        select c.ord::int, c.job_id, c.event_count, c.entry::jsonb
        from unnest(${plans.map((p) => p.view.jobId)}::uuid[], ${plans.map((p) => p.view.eventCount)}::int[],
          ${plans.map(entryFor)}::text[]) with ordinality as c(job_id, event_count, entry, ord)
        join jobs j on j.id = c.job_id
        order by j.id for update of j ${mode.alone ? sql`` : sql`skip locked`}
      ),
      held as materialized (select locked.*, onejob_now() as now from locked),
      gone as (
        -- A discard that got in between has put an event there, which this snapshot cannot see: then nothing matches.
        delete from jobs j using held h
        where j.id = h.job_id and j.event_count = h.event_count and j.purged_at is not null
          and j.state in ('SUCCEEDED', 'FAILED', 'CANCELLED')
        returning j.id, h.*
      ),
      tries as (delete from attempts a using gone g where a.job_id = g.id),
      untold as (delete from job_events e using gone g where e.job_id = g.id),
      ${audited(sql, "gone")}
      select g.ord, ${notification(sql, changedChannel, mode.notifyAs, sql`select id from gone`)} from gone g`;
    const gone = new Set(rows.map((row) => row.ord));
    return {
      answers: plans.map(({ view }, index) => (gone.has(index + 1) ? { kind: "released", jobId: view.jobId } : null)),
      changedJobIds: plans.filter((_, index) => gone.has(index + 1)).map((plan) => plan.view.jobId),
      queued: false,
    };
  },
};
