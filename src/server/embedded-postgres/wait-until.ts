// Waits for something outside of this process that gives no event. Not for what can be awaited.

import { setTimeout as delay } from "node:timers/promises";

/** Asks every 10 ms, at least once; false when the time is over. */
export async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() >= deadlineMs) return false;
    await delay(10);
  }
  return true;
}
