/** retryJob against cancelJob, in both orders: no live attempt is left under a cancelled job (I3, I7). */
import { expect, test } from "vitest";
import { holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { cancelJobCommand, failureOf, retryCommand } from "../support/store-kit.ts";

const race = openRace();

async function failedJob() {
  const { jobId, claim } = await race.startJob();
  await race.store.failAttempt(failureOf(claim));
  return { jobId, endedId: claim.attempt.id };
}

test("a cancellation that waits behind a retry cancels the attempt that the retry has started", async () => {
  const { jobId, endedId } = await failedJob();
  const held = await holdJob(race.sql, jobId);
  const retry = await held.line(() => race.store.retryJob(retryCommand(jobId, endedId)));
  const cancellation = await held.line(() => race.other.cancelJob(cancelJobCommand(jobId)));
  await held.release();
  const started = await retry.answer;
  if (started.kind !== "started") throw new Error(`The retry was answered ${started.kind}.`);
  expect(await cancellation.answer).toEqual({
    kind: "cancelled",
    jobId,
    cancelledAttemptId: started.attemptId,
    repeated: false,
  });
  expect(await race.job(jobId)).toMatchObject({ state: "CANCELLED", attemptCount: 2 });
  expect((await race.attempts(jobId)).map((one) => one.state)).toEqual(["FAILED", "CANCELLED"]);
});

test("a cancellation that comes first closes the job, and the retry starts nothing", async () => {
  const { jobId, endedId } = await failedJob();
  const held = await holdJob(race.sql, jobId);
  const cancellation = await held.line(() => race.other.cancelJob(cancelJobCommand(jobId)));
  const retry = await held.line(() => race.store.retryJob(retryCommand(jobId, endedId)));
  await held.release();
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled", cancelledAttemptId: null, repeated: false });
  expect(await retry.answer).toEqual({ kind: "closed", jobId });
  expect(await race.job(jobId)).toMatchObject({ state: "CANCELLED", attemptCount: 1 });
});
