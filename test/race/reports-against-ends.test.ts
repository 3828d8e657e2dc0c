/** heartbeatAttempt and markAttemptRunning against every end of their attempt, in both orders: what comes behind the end is refused, and leaves no trace (I6). */
import { expect, test } from "vitest";
import type { Store } from "../../src/store/store.ts";
import type { Claim } from "../../src/store/worker-commands.ts";
import { holdAttempt } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import {
  cancelAttemptCommand,
  cancelJobCommand,
  failureOf,
  foundFailed,
  reportOf,
  resolveCommand,
} from "../support/store-kit.ts";

const race = openRace();

type Send = (store: Store, claim: Claim, jobId: string) => Promise<{ kind: string }>;

const ends: readonly (readonly [name: string, state: string, send: Send])[] = [
  ["a completion", "SUCCEEDED", (store, claim) => store.completeAttempt({ ...reportOf(claim), result: "page" })],
  ["a failure", "FAILED", (store, claim) => store.failAttempt(failureOf(claim))],
  ["cancelAttempt", "CANCELLED", (store, claim) => store.cancelAttempt(cancelAttemptCommand(claim.attempt.id))],
  ["cancelJob", "CANCELLED", (store, _claim, jobId) => store.cancelJob(cancelJobCommand(jobId))],
  ["a resolution", "FAILED", (store, claim) => store.resolveAttempt(resolveCommand(claim.attempt.id, foundFailed))],
];

const reports: readonly (readonly [name: string, accepted: string, send: Send])[] = [
  [
    "a heartbeat",
    "beating",
    (store, claim) => store.heartbeat({ ...reportOf(claim), progress: { fraction: 0.5, message: "half" } }),
  ],
  [
    "a report that it runs",
    "running",
    (store, claim) => store.markRunning({ ...reportOf(claim), providerRequestId: "request-1" }),
  ],
];

const pairs = reports.flatMap((report) => ends.map((end) => ({ report, end, name: `${report[0]} and ${end[0]}` })));

test.each(pairs)(
  "of $name, the end comes first: the report is refused and changes nothing",
  async ({ report, end }) => {
    const { jobId, claim } = await race.startJob();
    const held = await holdAttempt(race.sql, claim.attempt.id);
    const ending = await held.line(() => end[2](race.other, claim, jobId));
    const reporting = await held.line(() => report[2](race.store, claim, jobId));
    await held.release();
    await ending.answer;
    expect(await reporting.answer).toMatchObject({ kind: "closed" });
    const [attempt] = await race.attempts(jobId);
    expect(attempt).toMatchObject({ state: end[1], leaseExpiresAt: null, progress: null, providerRequestId: null });
    expect(await race.events(jobId)).not.toContain("ATTEMPT_RUNNING");
  },
);

test.each(pairs)("of $name, the report comes first: both count, and the attempt ends", async ({ report, end }) => {
  const { jobId, claim } = await race.startJob();
  const held = await holdAttempt(race.sql, claim.attempt.id);
  const reporting = await held.line(() => report[2](race.store, claim, jobId));
  const ending = await held.line(() => end[2](race.other, claim, jobId));
  await held.release();
  expect(await reporting.answer).toMatchObject({ kind: report[1] });
  expect(await ending.answer).not.toMatchObject({ kind: "closed" });
  const [attempt] = await race.attempts(jobId);
  expect(attempt).toMatchObject({ state: end[1], leaseExpiresAt: null });
  const shown = report[1] === "beating" ? attempt?.progress?.message : attempt?.providerRequestId;
  expect(shown).toBe(report[1] === "beating" ? "half" : "request-1");
});
