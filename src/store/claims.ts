/**
 * How claims are carried out: whose turn it is, how many wait for a limited provider at a time, and when a pace makes room
 * again. What a claim takes is the statement's business.
 */
import pLimit from "p-limit";
import { sqlStateOf } from "./connect.ts";
import { notifying } from "./notify.ts";
import { Turns } from "./turns.ts";
import type { VerbRun } from "./verb-run.ts";
import type { Claim, ClaimAttempts } from "./worker-commands.ts";
import { type Claimed, claimAttempts } from "./write/claim-attempts.ts";

/** Claims on a limited provider wait for each other in the database, each with a connection: of this process no more than so many. */
const limitedAtOnce = 2;
/** Tries of a claim that PostgreSQL ends for a deadlock. */
const maxTries = 3;
/** Added to the wait for room: the database counts the time from a moment of its own. */
const marginMs = 5;

const deadlock = "40P01";
const lockTimeout = "55P03";
const nothing: Claimed = { claims: [], changedJobIds: [] };

export function claimsOf(run: VerbRun): (command: ClaimAttempts) => Promise<Claim[]> {
  const turns = new Turns();
  const limited = pLimit(limitedAtOnce);
  const awaited = new Set<string>();

  async function take(command: ClaimAttempts, tries = 1): Promise<Claimed> {
    try {
      return await notifying(run, (notifyAs) => claimAttempts({ sql: run.sql, turns, notifyAs }, command));
    } catch (error) {
      const state = sqlStateOf(error);
      if (state === deadlock && tries < maxTries) return take(command, tries + 1);
      // It was not its turn in time, and it has taken nothing. With a key that is no answer: an earlier call with the same
      // one, which may be what it waited for, may have taken something that this one must find.
      if (state === lockTimeout && command.claimKey === null) return nothing;
      throw error;
    }
  }

  /** Nobody tells when time has made room. */
  async function wakeWithRoom({ limits = [] }: ClaimAttempts): Promise<void> {
    const paced = limits.flatMap(({ provider, pace }) =>
      pace === null || awaited.has(provider) ? [] : [{ provider, ...pace }],
    );
    if (paced.length === 0) return;
    const rows = await run.sql<{ provider: string; waitMs: number }[]>`
      select p.provider, ceil(extract(epoch from x.at + c.window_ms * interval '1 millisecond' - onejob_now()) * 1000)::int as wait_ms
      from unnest(${paced.map((one) => one.provider)}::text[], ${paced.map((one) => one.starts)}::int[],
        ${paced.map((one) => one.perMs)}::int[]) as c(provider, max_starts, window_ms)
      join provider_paces p on p.provider = c.provider,
      lateral (select s.at from unnest(p.starts) as s(at) order by s.at desc offset c.max_starts - 1 limit 1) x`;
    for (const { provider, waitMs } of rows) {
      if (waitMs <= 0 || awaited.has(provider)) continue;
      awaited.add(provider);
      const wake = (): void => {
        awaited.delete(provider);
        run.wake();
      };
      setTimeout(wake, waitMs + marginMs).unref();
    }
  }

  return async (command) => {
    const isLimited = command.limits !== undefined && command.limits.length > 0;
    const { claims, changedJobIds } = await (isLimited ? limited(() => take(command)) : take(command));
    if (changedJobIds.length > 0) run.changed(changedJobIds, false);
    // Not waited for: what was taken must reach its worker whatever becomes of this, and the poll comes in any case.
    if (isLimited && claims.length < command.limit) wakeWithRoom(command).catch(() => {});
    return claims;
  };
}
