/** Waits for a condition by asking again and again, within bounds. It is the only waiting that a test's verdict may hang on. */
import { setTimeout as pause } from "node:timers/promises";

const betweenMs = 10;

/** Answers with the first value that is neither false, null nor undefined; throws with the description when time is up. */
export async function waitUntil<Value>(
  describe: string,
  condition: () => Value | Promise<Value>,
  timeoutMs = 10_000,
): Promise<Exclude<Value, false | null | undefined>> {
  const untilMs = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== false && value !== null && value !== undefined) {
      return value as Exclude<Value, false | null | undefined>;
    }
    if (performance.now() > untilMs) throw new Error(`Waited ${timeoutMs} ms in vain until ${describe}.`);
    await pause(betweenMs);
  }
}
