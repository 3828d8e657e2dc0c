/** Has overdue attempts made UNKNOWN, again and again. Which ones are overdue the database decides by its own clock. */
import type { Store } from "../store/store.ts";
import type { Log } from "./log.ts";
import { type Loop, startLoop } from "./loop.ts";

export interface SweeperOptions {
  readonly store: Store;
  readonly log: Log;
  readonly intervalMs?: number;
  /** Attempts per statement. */
  readonly batch?: number;
}

export function startSweeper({ store, log, intervalMs = 1_000, batch = 200 }: SweeperOptions): Loop {
  async function sweep(): Promise<void> {
    for (let found = batch; found >= batch; ) {
      const expired = await store.expireAttempts(batch);
      found = expired.length;
      if (found > 0) log.info("attempts-expired", { count: found });
    }
  }
  return startLoop({
    step: sweep,
    intervalMs,
    // Many deadlines may pass together, and each wakes the sweeper.
    restMs: Math.min(50, intervalMs),
    onError: (error) => log.error("sweep-failed", { error }),
  });
}
