/** Takes the places of new jobs from their owner's rate, where the configuration limits it: for all of a call, or for none. */
import type { CreationLimit } from "../../store/commands.ts";
import type { RequestContext } from "../context.ts";
import { rateLimited } from "../errors.ts";
import type { PreparedIntent } from "./record-intent.ts";

function explain({ count, perMs }: CreationLimit, retryAfterMs: number | null): string {
  const limit = `An owner may create ${count} new job${count === 1 ? "" : "s"} within ${perMs} ms`;
  if (retryAfterMs === null) {
    return `${limit}: this call has more new ones, which never fit. Nothing was written: give at most ${count} at once.`;
  }
  return `${limit}, and this would be more. Nothing was written: ask again after ${retryAfterMs} ms, with the same idempotency key.`;
}

/** Throws RATE_LIMITED, with nothing written, where the owner has no room for all that are new. Repeats need none. */
export async function takePlaces(
  { limits, store, viewer }: RequestContext,
  prepared: readonly PreparedIntent[],
): Promise<void> {
  const { creationsPerOwner: limit } = limits;
  if (limit === null) return;
  // Two jobs of a call under one key are one.
  const keys = new Set(prepared.flatMap((one) => ("intent" in one ? [one.intent.command.idempotencyKey] : [])));
  if (keys.size === 0) return;
  const answer = await store.takeCreations({ ownerId: viewer.ownerId, idempotencyKeys: [...keys], limit });
  if (!answer.granted) throw rateLimited(explain(limit, answer.retryAfterMs), answer.retryAfterMs);
}
