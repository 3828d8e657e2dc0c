/** Resumes paused providers, and wakes whoever waits for attempts on them, in every process. What was queued meanwhile is still there. */
import type { Sql } from "../connect.ts";
import { encodeName } from "../ids.ts";
import { queuedChannel, wakeUp } from "../notify.ts";
import type { ResumeProvider, ResumeProviderAnswer } from "../operator-commands.ts";
import type { Verb } from "../verb.ts";
import { audited, entryOf } from "./audit.ts";

async function readPaused(sql: Sql, commands: readonly ResumeProvider[]): Promise<Set<string>> {
  const rows = await sql<{ provider: string }[]>`
    select provider from provider_settings
    where provider = any(${commands.map((c) => c.provider)}::text[]) and paused_at is not null`;
  return new Set(rows.map((row) => row.provider));
}

export const resumeProviders: Verb<ResumeProvider, ResumeProvider, ResumeProviderAnswer> = {
  name: "resumeProvider",
  keyOf: (command) => command.provider,
  outright: (command) => command,

  async decide(sql, commands) {
    const paused = await readPaused(sql, commands);
    return commands.map((command) =>
      paused.has(command.provider) ? { plan: command } : { answer: { kind: "resumed", repeated: true } },
    );
  },

  async apply(sql, plans, mode) {
    const entries = plans.map(({ actor, provider, reason = null }) =>
      entryOf({ actor, action: "resumeProvider", target: encodeName("prov", provider), reason }),
    );
    const rows = await sql<{ provider: string }[]>`
      with locked as materialized (
        select s.provider, c.entry::jsonb, onejob_now() as now
        from unnest(${plans.map((p) => p.provider)}::text[], ${entries}::text[]) as c(provider, entry)
        join provider_settings s on s.provider = c.provider
        order by s.provider for no key update of s
      ),
      resumed as (
        update provider_settings s set paused_at = null, paused_by = null, pause_reason = null
        from locked l where s.provider = l.provider and s.paused_at is not null
        returning s.provider, l.entry, l.now
      ),
      ${audited(sql, "resumed")}
      select r.provider, ${wakeUp(sql, queuedChannel, mode.notifyAs)} from resumed r`;
    const resumed = new Set(rows.map((row) => row.provider));
    return {
      answers: plans.map(({ provider }) => (resumed.has(provider) ? { kind: "resumed", repeated: false } : null)),
      changedJobIds: [],
      // No job has changed, but attempts that waited may be claimed now.
      queued: rows.length > 0,
    };
  },
};
