/** Notes when a provider was asked what became of an attempt, where nothing was learnt. What was learnt is resolve-attempts.ts. */
import type { Sql } from "../connect.ts";
import { encodeId } from "../ids.ts";
import type { MarkLookedUp, MarkLookedUpAnswer } from "../operator-commands.ts";
import type { Verb } from "../verb.ts";
import { audited, entryOf } from "./audit.ts";

async function readExisting(sql: Sql, commands: readonly MarkLookedUp[]): Promise<ReadonlyMap<string, boolean>> {
  const rows = await sql<{ id: string; isLive: boolean }[]>`
    select id, state in ('STARTING', 'RUNNING', 'UNKNOWN') as is_live from attempts
    where id = any(${commands.map((c) => c.attemptId)}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row.isLive]));
}

export const markLookedUp: Verb<MarkLookedUp, MarkLookedUp, MarkLookedUpAnswer> = {
  name: "markLookedUp",
  keyOf: (command) => command.attemptId,
  outright: (command) => command,

  async decide(sql, commands) {
    const existing = await readExisting(sql, commands);
    return commands.map((command) => {
      const isLive = existing.get(command.attemptId);
      if (isLive === undefined) return { answer: { kind: "not-found" } };
      return isLive ? { plan: command } : { answer: { kind: "closed" } };
    });
  },

  async apply(sql, plans, mode) {
    const entries = plans.map(({ actor, attemptId, learnt, reason = null }) =>
      entryOf({
        actor,
        action: "lookUpAttempt",
        target: encodeId("att", attemptId),
        reason,
        detail: { outcome: "UNKNOWN", learnt },
      }),
    );
    const rows = await sql<{ ord: number }[]>`
      with locked as materialized (
        select c.ord::int, a.id as attempt, c.entry::jsonb
        from unnest(${plans.map((p) => p.attemptId)}::uuid[], ${entries}::text[]) with ordinality as c(attempt, entry, ord)
        join attempts a on a.id = c.attempt
        order by a.job_id, a.id for no key update of a ${mode.alone ? sql`` : sql`skip locked`}
      ),
      held as materialized (select locked.*, onejob_now() as now from locked),
      asked as (
        update attempts a set looked_up_at = h.now
        from held h where a.id = h.attempt and a.state in ('STARTING', 'RUNNING', 'UNKNOWN')
        returning h.ord, h.entry, h.now
      ),
      ${audited(sql, "asked")}
      select ord from asked`;
    const asked = new Set(rows.map((row) => row.ord));
    return {
      answers: plans.map((_, index) => (asked.has(index + 1) ? { kind: "marked" } : null)),
      changedJobIds: [],
      queued: false,
    };
  },
};
