/** Tries one thing again until it succeeds, for a while: for words that must reach the database. It is not a loop, nor does it judge answers. */
import { monotonicMs, sleep } from "./clock.ts";

export interface Persistence {
  /** No further try starts after this time. */
  readonly forMs: number;
  /** No further try starts once it is aborted; the first is always made. */
  readonly signal: AbortSignal;
  onError(error: unknown): void;
}

const firstDelayMs = 50;
const longestDelayMs = 5_000;

/** The action's value, or null when every try failed. */
export async function insist<Value>(action: () => Promise<Value>, persistence: Persistence): Promise<Value | null> {
  const untilMs = monotonicMs() + persistence.forMs;
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
    try {
      return await action();
    } catch (error) {
      persistence.onError(error);
    }
    await sleep(Math.min(delayMs, untilMs - monotonicMs()), persistence.signal);
    if (persistence.signal.aborted || monotonicMs() >= untilMs) return null;
  }
}
