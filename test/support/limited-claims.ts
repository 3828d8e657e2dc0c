/** Attempts that wait at a limited provider, and claims within its limits: what tests of limits have in common. It checks nothing. */
import type postgres from "postgres";
import type { ProviderLimits } from "../../src/domain/provider-limits.ts";
import type { Store } from "../../src/store/store.ts";
import type { Claim, ClaimAttempts } from "../../src/store/worker-commands.ts";
import { createCommand } from "./store-kit.ts";

export async function queueAt(store: Store, count: number, provider = "inkjet"): Promise<void> {
  const terms = { ...createCommand().terms, provider };
  await Promise.all(Array.from({ length: count }, () => store.createJob(createCommand({ terms }))));
}

/** Limits of the inkjet; none but those given. */
export function limited(limits: Partial<ProviderLimits>): ProviderLimits[] {
  return [{ provider: "inkjet", maxRunning: null, pace: null, ...limits }];
}

export function claimWithin(
  store: Store,
  limits: readonly ProviderLimits[],
  changes: Partial<ClaimAttempts> = {},
): Promise<Claim[]> {
  const common = { workerId: "w", claimedBy: "token", providers: ["inkjet"], operations: null, claimKey: null };
  return store.claimAttempts({ ...common, limits, limit: 10, ...changes });
}

export async function countWaiting(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int from attempts where state = 'QUEUED'`;
  return row?.count ?? -1;
}
