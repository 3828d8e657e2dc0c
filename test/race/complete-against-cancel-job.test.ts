/** completeAttempt against cancelJob, in both orders: the job is closed once, by whoever comes first. */
import { expect, test } from "vitest";
import { holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { cancelJobCommand, reportOf } from "../support/store-kit.ts";

const race = openRace();

test("a completion that comes first wins, and the cancellation finds the job closed", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const completion = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: "page" }));
  const cancellation = await held.line(() => race.other.cancelJob(cancelJobCommand(jobId)));
  await held.release();
  expect(await completion.answer).toMatchObject({ kind: "completed", repeated: false });
  expect(await cancellation.answer).toEqual({ kind: "closed", jobId });
  expect(await race.job(jobId)).toMatchObject({ state: "SUCCEEDED", completedBy: claim.attempt.id, result: "page" });
});

test("a cancellation that comes first ends job and attempt, and the result is discarded on record", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const cancellation = await held.line(() => race.other.cancelJob(cancelJobCommand(jobId)));
  const completion = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: "page" }));
  await held.release();
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled", cancelledAttemptId: claim.attempt.id });
  expect(await completion.answer).toMatchObject({ kind: "discarded", winnerId: null });
  expect(await race.job(jobId)).toMatchObject({ state: "CANCELLED", completedBy: null, result: null });
  expect((await race.attempts(jobId)).map((one) => one.state)).toEqual(["CANCELLED"]);
  expect((await race.events(jobId)).slice(-3)).toEqual(["ATTEMPT_CANCELLED", "JOB_CANCELLED", "RESULT_DISCARDED"]);
});
