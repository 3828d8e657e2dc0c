/** The process's clock: sleeping and the ends of it. */
import { expect, test } from "vitest";
import { monotonicMs, settlesWithin, sleep } from "../../src/runtime/clock.ts";

test("sleep never ends before its time", async () => {
  for (const ms of [1, 3, 7, 12]) {
    const fromMs = monotonicMs();
    await sleep(ms);
    expect(monotonicMs() - fromMs).toBeGreaterThanOrEqual(ms);
  }
});

test("an abort ends sleep at once, also one that came before it, and also beyond the reach of Node's timers", async () => {
  const fromMs = monotonicMs();
  const aborting = new AbortController();
  const sleeping = [sleep(60_000, aborting.signal), sleep(Number.POSITIVE_INFINITY, aborting.signal)];
  aborting.abort();
  await Promise.all([...sleeping, sleep(60_000, aborting.signal)]);
  expect(monotonicMs() - fromMs).toBeLessThan(5_000);
});

test("a time beyond the reach of Node's timers does not end at once", async () => {
  const aborting = new AbortController();
  const ended = await settlesWithin(sleep(2 ** 40, aborting.signal), 20);
  aborting.abort();
  expect(ended).toBe(false);
});

test("settlesWithin counts a rejection as settled, and throws nothing", async () => {
  expect(await settlesWithin(Promise.reject(new Error("no")), 1_000)).toBe(true);
});
