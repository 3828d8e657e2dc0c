/** cancelJob against claimAttempts, in both orders: a cancelled job's attempt is never handed to a worker, nor left with one. */
import { expect, test } from "vitest";
import { holdAttempt, holdClock, holdJob, lineUp } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { cancelJobCommand } from "../support/store-kit.ts";

const race = openRace();
const claimOf = (provider: string) => ({
  workerId: "w",
  claimedBy: "token",
  providers: [provider],
  operations: null,
  limit: 1,
  claimKey: null,
});

test("a cancellation behind a claim cancels the attempt that the worker has, its effect uncertain", async () => {
  const { jobId, attemptId, provider } = await race.queueJob();
  const held = await holdAttempt(race.sql, attemptId);
  const claim = await held.line(() => race.store.claimAttempts(claimOf(provider)));
  const cancellation = await held.line(() => race.other.cancelJob(cancelJobCommand(jobId)));
  await held.release();
  expect(await claim.answer).toHaveLength(1);
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled", cancelledAttemptId: attemptId });
  expect((await race.attempts(jobId))[0]).toMatchObject({ state: "CANCELLED", effectUncertain: true });
  expect((await race.events(jobId)).slice(-3)).toEqual(["ATTEMPT_STARTING", "ATTEMPT_CANCELLED", "JOB_CANCELLED"]);
});

test("a claim passes by a job whose cancellation is under way", async () => {
  const { jobId, attemptId, provider } = await race.queueJob();
  const held = await holdAttempt(race.sql, attemptId);
  const cancellation = await held.line(() => race.other.cancelJob(cancelJobCommand(jobId)));
  expect(await race.store.claimAttempts(claimOf(provider))).toEqual([]);
  await held.release();
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled", cancelledAttemptId: attemptId });
  expect((await race.attempts(jobId))[0]).toMatchObject({ state: "CANCELLED", effectUncertain: false });
});

test("a claim that saw the attempt waiting before its job was cancelled gets nothing", async () => {
  const { jobId, provider } = await race.queueJob();
  const clock = await holdClock(race.sql);
  const claim = await lineUp(race.sql, () => race.store.claimAttempts(claimOf(provider)));
  expect(await race.other.cancelJob(cancelJobCommand(jobId))).toMatchObject({ kind: "cancelled" });
  await clock.release();
  expect(await claim.answer).toEqual([]);
  expect(await race.job(jobId)).toMatchObject({ state: "CANCELLED" });
});

test("of two cancellations the first in line closes the job, and the other is told that it is cancelled", async () => {
  const { jobId, attemptId } = await race.queueJob();
  const held = await holdJob(race.sql, jobId);
  const first = await held.line(() => race.store.cancelJob(cancelJobCommand(jobId)));
  const second = await held.line(() => race.other.cancelJob(cancelJobCommand(jobId)));
  await held.release();
  expect(await first.answer).toMatchObject({ kind: "cancelled", cancelledAttemptId: attemptId, repeated: false });
  expect(await second.answer).toMatchObject({ kind: "cancelled", repeated: true });
  expect((await race.job(jobId)).version).toBe(2);
});
