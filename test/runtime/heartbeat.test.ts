/** The heartbeat of one attempt: when it beats, and what progress it carries. The beats go to the test, not to a store. */
import { expect, test } from "vitest";
import type { ProgressReport } from "../../src/domain/outcome.ts";
import { monotonicMs } from "../../src/runtime/clock.ts";
import { startHeartbeat } from "../../src/runtime/heartbeat.ts";
import type { HeartbeatAnswer } from "../../src/store/worker-commands.ts";
import { waitUntil } from "../support/wait-until.ts";

const beating: HeartbeatAnswer = { kind: "beating", attemptId: "a", jobId: "j", leaseExpiresAt: null, leaseMs: 1 };
const longMs = 3_600_000;
const progressMs = 100;

function beatingEvery(leaseMs: number, answer: () => HeartbeatAnswer = () => beating, windowMs = progressMs) {
  const beats: { progress: ProgressReport | null; atMs: number }[] = [];
  const refused: string[] = [];
  const errors: unknown[] = [];
  const heartbeat = startHeartbeat({
    async beat(progress) {
      beats.push({ progress, atMs: monotonicMs() });
      return answer();
    },
    leaseMs,
    progressMs: windowMs,
    onRefused: (kind) => refused.push(kind),
    onError: (error) => errors.push(error),
  });
  return { heartbeat, beats, refused, errors };
}

test("it beats three times in a lease, without progress where there is none", async () => {
  const startMs = monotonicMs();
  const { heartbeat, beats } = beatingEvery(900);
  await waitUntil("it has beaten twice", () => beats.length === 2);
  await heartbeat.stop();
  expect(beats.map((beat) => beat.progress)).toEqual([null, null]);
  expect((beats[0]?.atMs ?? 0) - startMs).toBeGreaterThanOrEqual(300);
});

test("progress is written at once, the newest of what follows after a while, and the same never twice", async () => {
  const { heartbeat, beats } = beatingEvery(longMs);
  heartbeat.reportProgress({ fraction: 0.1, message: null });
  await waitUntil("the first is written", () => beats.length === 1);
  for (const fraction of [0.2, 0.3, 0.4, 0.4]) {
    heartbeat.reportProgress({ fraction, message: null });
    await new Promise((resolve) => setImmediate(resolve));
  }
  await waitUntil("the newest is written", () => beats.length === 2);
  heartbeat.reportProgress({ fraction: 0.4, message: null });
  heartbeat.reportProgress({ fraction: 0.5, message: null });
  await waitUntil("the next is written", () => beats.length === 3);
  await heartbeat.stop();
  expect(beats.map((beat) => beat.progress?.fraction)).toEqual([0.1, 0.4, 0.5]);
  const [first, second, third] = beats.map((beat) => beat.atMs);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(progressMs);
  expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(progressMs);
});

test("a flush writes at once what was reported last, and nothing where all is written", async () => {
  const { heartbeat, beats } = beatingEvery(longMs, () => beating, longMs);
  heartbeat.reportProgress({ fraction: 0.1, message: null });
  await waitUntil("the first is written", () => beats.length === 1);
  await heartbeat.flush();
  for (const fraction of [0.2, 0.3]) heartbeat.reportProgress({ fraction, message: null });
  await heartbeat.flush();
  await heartbeat.flush();
  await heartbeat.stop();
  expect(beats.map((beat) => beat.progress?.fraction)).toEqual([0.1, 0.3]);
});

test("progress outside 0 to 1 is brought inside, and what is no number is not known", async () => {
  const { heartbeat, beats } = beatingEvery(longMs);
  for (const [given, written] of [
    [7, 1],
    [-1, 0],
    [Number.NaN, null],
  ] as const) {
    const before = beats.length;
    heartbeat.reportProgress({ fraction: given, message: "m" });
    await waitUntil("it is written", () => beats.length > before);
    expect(beats.at(-1)?.progress).toEqual({ fraction: written, message: "m" });
  }
  await heartbeat.stop();
});

test("a refusal ends the beating and is told once, with whose fault it is", async () => {
  for (const kind of ["closed", "lease-lost"] as const) {
    const { heartbeat, beats, refused } = beatingEvery(longMs, () => ({ kind, attemptId: "a", jobId: "j" }));
    heartbeat.reportProgress({ fraction: 0.1, message: null });
    await waitUntil("it is refused", () => refused.length === 1);
    await heartbeat.stop();
    expect(refused).toEqual([kind]);
    expect(beats).toHaveLength(1);
  }
});

test("a beat that fails is tried again sooner than the next one is due, with its progress", async () => {
  let fails = true;
  const { heartbeat, beats, errors } = beatingEvery(longMs, () => {
    if (!fails) return beating;
    fails = false;
    throw new Error("away");
  });
  heartbeat.reportProgress({ fraction: 0.1, message: null });
  await waitUntil("it has beaten again", () => beats.length === 2);
  await heartbeat.stop();
  expect(errors).toHaveLength(1);
  expect(beats.map((beat) => beat.progress?.fraction)).toEqual([0.1, 0.1]);
});
