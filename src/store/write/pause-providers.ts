/** Pauses providers: claims pass a paused one by. Attempts under way go on. Asked twice, who came first and why is kept. */
import type { Sql } from "../connect.ts";
import { encodeName } from "../ids.ts";
import type { PauseProvider, PauseProviderAnswer } from "../operator-commands.ts";
import type { Verb } from "../verb.ts";
import { audited, entryOf } from "./audit.ts";

async function readPaused(sql: Sql, commands: readonly PauseProvider[]): Promise<Set<string>> {
  const rows = await sql<{ provider: string }[]>`
    select provider from provider_settings
    where provider = any(${commands.map((c) => c.provider)}::text[]) and paused_at is not null`;
  return new Set(rows.map((row) => row.provider));
}

export const pauseProviders: Verb<PauseProvider, PauseProvider, PauseProviderAnswer> = {
  name: "pauseProvider",
  keyOf: (command) => command.provider,
  outright: (command) => command,

  async decide(sql, commands) {
    const paused = await readPaused(sql, commands);
    return commands.map((command) =>
      paused.has(command.provider) ? { answer: { kind: "paused", repeated: true } } : { plan: command },
    );
  },

  async apply(sql, plans) {
    const entries = plans.map(({ actor, provider, reason }) =>
      entryOf({ actor, action: "pauseProvider", target: encodeName("prov", provider), reason }),
    );
    const rows = await sql<{ provider: string }[]>`
      with asked as materialized (
        select c.*, onejob_now() as now
        from unnest(${plans.map((p) => p.provider)}::text[], ${plans.map((p) => p.actor.name)}::text[],
          ${plans.map((p) => p.reason)}::text[]) as c(provider, actor, reason) order by c.provider
      ),
      paused as (
        insert into provider_settings as s (provider, paused_at, paused_by, pause_reason)
        select a.provider, a.now, a.actor, a.reason from asked a
        on conflict (provider) do update set paused_at = excluded.paused_at, paused_by = excluded.paused_by, pause_reason = excluded.pause_reason
        where s.paused_at is null
        returning s.provider, s.paused_at
      ),
      acts as (
        select p.provider, p.paused_at as now, e.entry::jsonb
        from paused p join unnest(${plans.map((p) => p.provider)}::text[], ${entries}::text[]) as e(provider, entry) on e.provider = p.provider
      ),
      ${audited(sql, "acts")}
      select provider from acts`;
    const paused = new Set(rows.map((row) => row.provider));
    return {
      answers: plans.map(({ provider }) => (paused.has(provider) ? { kind: "paused", repeated: false } : null)),
      changedJobIds: [],
      queued: false,
    };
  },
};
