/** Takes the places of new jobs from their owner's rate, where the configuration limits it: for all of a call, or for none. */
import type { CreationLimit } from "../../store/commands.ts";
import type { RequestContext } from "../context.ts";
import { rateLimited } from "../errors.ts";
import type { PreparedIntent } from "./record-intent.ts";

/** Two jobs of a call under one key are one. */
function countNew(prepared: readonly PreparedIntent[]): number {
  return new Set(prepared.flatMap((one) => ("intent" in one ? [one.intent.command.idempotencyKey] : []))).size;
}

function explain({ count, perMs }: CreationLimit, amount: number, retryAfterMs: number | null): string {
  const limit = `An owner may create ${count} job${count === 1 ? "" : "s"} within ${perMs} ms`;
  if (retryAfterMs === null) {
    return `${limit}, and these are ${amount} new ones at once, which never fit: give at most ${count} new ones. Nothing was written.`;
  }
  return `${limit}, and ${amount === 1 ? "this one is" : `these ${amount} are`} more. Nothing was written: ask again with the same idempotency key${amount === 1 ? "" : "s"} after ${retryAfterMs} ms.`;
}

/** Throws RATE_LIMITED, with nothing written, where the owner has no room for all of them. */
export async function takePlaces(
  { limits, store, viewer }: RequestContext,
  prepared: readonly PreparedIntent[],
): Promise<void> {
  const { creationsPerOwner: limit } = limits;
  if (limit === null) return;
  const amount = countNew(prepared);
  if (amount === 0) return;
  const answer = await store.takeCreations({ ownerId: viewer.ownerId, amount, limit });
  if (!answer.granted) throw rateLimited(explain(limit, amount, answer.retryAfterMs), answer.retryAfterMs);
}
