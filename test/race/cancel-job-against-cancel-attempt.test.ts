/** cancelJob against cancelAttempt, in both orders: the attempt ends once, the job is closed, and both are told so. */
import { expect, test } from "vitest";
import { holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { cancelAttemptCommand, cancelJobCommand } from "../support/store-kit.ts";

const race = openRace();

test("a cancelJob behind cancelAttempt closes the FAILED job that it left, without an attempt to cancel", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const ofAttempt = await held.line(() => race.store.cancelAttempt(cancelAttemptCommand(claim.attempt.id)));
  const ofJob = await held.line(() => race.other.cancelJob(cancelJobCommand(jobId)));
  await held.release();
  expect(await ofAttempt.answer).toMatchObject({ kind: "cancelled", repeated: false });
  expect(await ofJob.answer).toMatchObject({ kind: "cancelled", cancelledAttemptId: null, repeated: false });
  expect(await race.job(jobId)).toMatchObject({ state: "CANCELLED", version: 3 });
  expect((await race.events(jobId)).slice(-3)).toEqual(["ATTEMPT_CANCELLED", "JOB_FAILED", "JOB_CANCELLED"]);
});

test("a cancelAttempt behind cancelJob finds its attempt cancelled, which is what it asked for", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const ofJob = await held.line(() => race.other.cancelJob(cancelJobCommand(jobId)));
  const ofAttempt = await held.line(() => race.store.cancelAttempt(cancelAttemptCommand(claim.attempt.id)));
  await held.release();
  expect(await ofJob.answer).toMatchObject({ kind: "cancelled", cancelledAttemptId: claim.attempt.id });
  expect(await ofAttempt.answer).toMatchObject({ kind: "cancelled", repeated: true });
  expect((await race.events(jobId)).slice(-2)).toEqual(["ATTEMPT_CANCELLED", "JOB_CANCELLED"]);
});

test("of two cancellations of one attempt the first in line ends it, and the other is told that it is cancelled", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const first = await held.line(() => race.store.cancelAttempt(cancelAttemptCommand(claim.attempt.id)));
  const second = await held.line(() => race.other.cancelAttempt(cancelAttemptCommand(claim.attempt.id)));
  await held.release();
  expect(await first.answer).toMatchObject({ kind: "cancelled", repeated: false });
  expect(await second.answer).toMatchObject({ kind: "cancelled", repeated: true });
  expect(await race.job(jobId)).toMatchObject({ state: "FAILED", version: 2 });
});
