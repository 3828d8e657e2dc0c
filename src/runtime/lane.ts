/** Claims attempts for one in-process provider as it has places free, and has them carried out. It settles nothing. */
import type { Operation } from "../domain/operation.ts";
import { limitsOf } from "../domain/provider-limits.ts";
import type { Claim } from "../store/worker-commands.ts";
import { type CarriedAttempt, carryOut, type InProcessProvider, type Surroundings } from "./carry-out.ts";
import type { Log } from "./log.ts";
import { startLoop } from "./loop.ts";

export interface LaneOptions {
  readonly provider: InProcessProvider;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly surroundings: Surroundings;
  readonly pollMs: number;
  readonly log: Log;
}

export interface Lane {
  readonly provider: string;
  /** What runs elsewhere may keep this lane from claiming, so that the end of an attempt is news to it. */
  readonly isLimited: boolean;
  /** An attempt may be waiting. */
  wake(): void;
  /** Every attempt that is not over yet, those given up among them. */
  carried(): CarriedAttempt[];
  /** Claims nothing more; what it has goes on. */
  stop(): Promise<void>;
}

const claimAtMost = 50;
const limitedRestMs = 20;

/** Given up and still unanswered: a provider that never answers must not fill the memory. */
const maxGivenUp = 1_000;

export function startLane({ provider, operations, surroundings, pollMs, log }: LaneOptions): Lane {
  const { store, workerId } = surroundings;
  const held = new Set<CarriedAttempt>();
  const givenUp = new Set<CarriedAttempt>();
  const limits = limitsOf([provider]);
  let claimNumber = 0;
  /** There may be more than the last claim took. */
  let mayWait = false;

  async function claim(): Promise<void> {
    const limit = Math.min(claimAtMost, provider.concurrency - held.size);
    mayWait = true;
    if (limit <= 0) return;
    const claims = await store.claimAttempts({
      workerId,
      // No token: like every later event of the attempt, the claim is told under the name of this worker.
      claimedBy: workerId,
      providers: [provider.name],
      limits,
      operations: [...operations.keys()],
      limit,
      // The same until it is answered: a claim whose answer was lost is handed out again, not left to its lease.
      claimKey: `${workerId}/${provider.name}/${claimNumber}`,
    });
    claimNumber += 1;
    for (const claimed of claims) take(claimed);
    mayWait = claims.length >= limit;
    if (mayWait) loop.wake();
  }

  function take(claimed: Claim): void {
    const carried = carryOut(claimed, provider, operations.get(claimed.operation), surroundings);
    held.add(carried);
    void carried.released.then(() => {
      held.delete(carried);
      givenUp.add(carried);
      for (const oldest of givenUp) {
        if (givenUp.size <= maxGivenUp) break;
        givenUp.delete(oldest);
        oldest.abandon();
      }
      if (mayWait) loop.wake();
      void carried.settled.then(() => givenUp.delete(carried));
    });
  }

  const loop = startLoop({
    step: claim,
    intervalMs: pollMs,
    // Every change on the database may make room within a limit, and most do not.
    restMs: limits.length > 0 ? limitedRestMs : 0,
    onError: (error) => log.error("claim-failed", { provider: provider.name, error }),
  });

  return {
    provider: provider.name,
    isLimited: provider.maxRunning !== undefined,
    wake: () => loop.wake(),
    carried: () => [...held, ...givenUp],
    stop: () => loop.stop(),
  };
}
