/** cancelJob against a failure that queues a retry by itself, in both orders: nothing goes on under a cancelled job. */
import { expect, test } from "vitest";
import { holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { cancelJobCommand, failureOf } from "../support/store-kit.ts";

const race = openRace();
const failure = { code: "BUSY", message: "Try again.", remedy: "SAME_PROVIDER" } as const;

test("a cancellation behind fail-and-retry cancels the retry, which it could not see when it began to wait", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const failing = await held.line(() => race.store.failAttempt(failureOf(claim, { failure })));
  const cancellation = await held.line(() => race.other.cancelJob(cancelJobCommand(jobId)));
  await held.release();
  expect(await failing.answer).toMatchObject({ kind: "recorded", repeated: false });
  const { latestAttempt } = await race.job(jobId);
  expect(latestAttempt).not.toBe(claim.attempt.id);
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled", cancelledAttemptId: latestAttempt });
  expect((await race.attempts(jobId)).map((one) => one.state)).toEqual(["FAILED", "CANCELLED"]);
  expect(await race.job(jobId)).toMatchObject({ state: "CANCELLED", version: 3 });
});

test("a cancellation that comes first ends job and attempt, and the failure queues nothing", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const cancellation = await held.line(() => race.other.cancelJob(cancelJobCommand(jobId)));
  const failing = await held.line(() => race.store.failAttempt(failureOf(claim, { failure })));
  await held.release();
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled", cancelledAttemptId: claim.attempt.id });
  expect(await failing.answer).toMatchObject({ kind: "closed" });
  expect(await race.job(jobId)).toMatchObject({ state: "CANCELLED", attemptCount: 1, version: 2 });
});
