/** The repeating loop that sweeper, dispatcher and feed run on. */
import { expect, test } from "vitest";
import { monotonicMs, settlesWithin } from "../../src/runtime/clock.ts";
import { startLoop } from "../../src/runtime/loop.ts";
import { waitUntil } from "../support/wait-until.ts";

function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

test("a wake during a step runs it once more, and never two at once", async () => {
  const gates = [gate(), gate(), gate()];
  let started = 0;
  let underWay = 0;
  let most = 0;
  const loop = startLoop({
    async step() {
      underWay += 1;
      most = Math.max(most, underWay);
      started += 1;
      await gates[started - 1]?.passed;
      underWay -= 1;
    },
    intervalMs: null,
    onError: () => {},
  });
  await waitUntil("the first step runs", () => started === 1);
  for (let wakes = 0; wakes < 5; wakes += 1) loop.wake();
  gates[0]?.open();
  await waitUntil("the second step runs", () => started === 2);
  gates[1]?.open();
  gates[2]?.open();
  await loop.stop();
  expect({ started, most }).toEqual({ started: 2, most: 1 });
});

test("a loop that only wakes start does not start by itself", async () => {
  let steps = 0;
  const loop = startLoop({
    step: async () => {
      steps += 1;
    },
    intervalMs: null,
    startsAtOnce: false,
    onError: () => {},
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(steps).toBe(0);
  loop.wake();
  await waitUntil("it has stepped", () => steps === 1);
  await loop.stop();
});

test("stop waits for the step under way and lets no other start", async () => {
  const held = gate();
  let steps = 0;
  const loop = startLoop({
    async step() {
      steps += 1;
      await held.passed;
    },
    intervalMs: 1,
    onError: () => {},
  });
  await waitUntil("the step runs", () => steps === 1);
  const stopping = loop.stop();
  loop.wake();
  expect(await settlesWithin(stopping, 20)).toBe(false);
  held.open();
  await stopping;
  expect(steps).toBe(1);
});

test("a failing step is reported and tried again after a growing wait, which no wake shortens", async () => {
  const errors: unknown[] = [];
  const startsMs: number[] = [];
  const loop = startLoop({
    async step() {
      startsMs.push(monotonicMs());
      throw new Error("away");
    },
    intervalMs: 1,
    onError: (error) => {
      errors.push(error);
      loop.wake();
    },
    backoffMs: { first: 10, most: 40 },
  });
  await waitUntil("it has failed five times", () => errors.length >= 5);
  await loop.stop();
  const waitsMs = startsMs.slice(1).map((startMs, index) => startMs - (startsMs[index] ?? 0));
  for (const [index, leastMs] of [10, 20, 40, 40].entries()) expect(waitsMs[index]).toBeGreaterThanOrEqual(leastMs);
});

test("a step that succeeds again ends the waiting: wakes count at once", async () => {
  let steps = 0;
  const loop = startLoop({
    async step() {
      steps += 1;
      if (steps === 1) throw new Error("once");
    },
    intervalMs: null,
    onError: () => {},
    backoffMs: { first: 1, most: 1 },
  });
  await waitUntil("it has recovered", () => steps === 2);
  loop.wake();
  await waitUntil("it steps again", () => steps === 3);
  await loop.stop();
  expect(steps).toBe(3);
});

test("the rest between two steps is kept however often it is woken", async () => {
  const startsMs: number[] = [];
  const loop = startLoop({
    async step() {
      startsMs.push(monotonicMs());
    },
    intervalMs: null,
    restMs: 30,
    onError: () => {},
  });
  await waitUntil("it has stepped three times", () => {
    loop.wake();
    return startsMs.length >= 3;
  });
  await loop.stop();
  const [first = 0, second = 0, third = 0] = startsMs;
  expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(30);
});
