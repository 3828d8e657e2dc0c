/**
 * Takes places for new jobs from their owners' rates, for many callers in one statement. It creates nothing. Who gets a place, and
 * why never more than the limit within any span, is said at the function onejob_take_creations in drizzle/.
 */
import type { TakeCreations, TakeCreationsAnswer } from "../commands.ts";
import type { Sql } from "../connect.ts";

interface Row {
  readonly place: number;
  readonly granted: boolean;
  readonly retryAfterMs: number | null;
}

/** In the order of the commands. `passingBy` leaves null for owners whose row another session holds; else it waits for them. */
export async function takeCreations(
  sql: Sql,
  commands: readonly TakeCreations[],
  passingBy: boolean,
): Promise<(TakeCreationsAnswer | null)[]> {
  const rows = await sql<Row[]>`
    select place, granted, retry_after_ms from onejob_take_creations(
      ${commands.map((c) => c.ownerId)}::text[], ${commands.map((c) => c.limit.count)}::int[],
      ${commands.map((c) => c.limit.perMs)}::int[], ${commands.flatMap((c, index) => c.idempotencyKeys.map(() => index + 1))}::int[],
      ${commands.flatMap((c) => c.idempotencyKeys)}::text[], ${passingBy})`;
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return commands.map((_, index) => {
    const row = byPlace.get(index + 1);
    if (row === undefined) return null;
    return row.granted ? { granted: true } : { granted: false, retryAfterMs: row.retryAfterMs };
  });
}
