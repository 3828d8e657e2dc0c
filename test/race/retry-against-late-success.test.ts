/** A late success of an UNKNOWN attempt against cancelAttempt and retryJob: it wins until the attempt is cancelled, never after. */
import { expect, test } from "vitest";
import { holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { cancelAttemptCommand, loseOne, reportOf, retryCommand } from "../support/store-kit.ts";

const race = openRace();

async function unknownJob() {
  const { jobId, claim } = await race.startJob();
  await loseOne(race.store, claim);
  return { jobId, claim, attemptId: claim.attempt.id };
}

test("a late success before the cancellation wins, and neither cancellation nor retry changes that", async () => {
  const { jobId, claim, attemptId } = await unknownJob();
  const held = await holdJob(race.sql, jobId);
  const success = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: "late" }));
  const cancellation = await held.line(() => race.other.cancelAttempt(cancelAttemptCommand(attemptId)));
  await held.release();
  expect(await success.answer).toMatchObject({ kind: "completed", repeated: false });
  expect(await cancellation.answer).toEqual({ kind: "closed", attemptId });
  expect(await race.other.retryJob(retryCommand(jobId, attemptId))).toEqual({ kind: "closed", jobId });
  expect(await race.job(jobId)).toMatchObject({ state: "SUCCEEDED", attemptCount: 1, result: "late" });
});

test("a late success behind the cancellation is discarded, and a retry may start", async () => {
  const { jobId, claim, attemptId } = await unknownJob();
  const held = await holdJob(race.sql, jobId);
  const cancellation = await held.line(() => race.other.cancelAttempt(cancelAttemptCommand(attemptId)));
  const success = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: "late" }));
  await held.release();
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled", repeated: false });
  expect(await success.answer).toMatchObject({ kind: "discarded", winnerId: null });
  expect(await race.other.retryJob(retryCommand(jobId, attemptId))).toMatchObject({ kind: "started" });
  const [first] = await race.attempts(jobId);
  expect(first).toMatchObject({ state: "CANCELLED", effectUncertain: true });
  expect(first?.lateResultAt).not.toBeNull();
});

test("a late success behind the retry is discarded, and the retry's attempt stays as it was", async () => {
  const { jobId, claim, attemptId } = await unknownJob();
  await race.store.cancelAttempt(cancelAttemptCommand(attemptId));
  const held = await holdJob(race.sql, jobId);
  const retry = await held.line(() => race.other.retryJob(retryCommand(jobId, attemptId)));
  const success = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: "late" }));
  await held.release();
  expect(await retry.answer).toMatchObject({ kind: "started" });
  expect(await success.answer).toMatchObject({ kind: "discarded", winnerId: null });
  expect(await race.job(jobId)).toMatchObject({ state: "QUEUED", completedBy: null, attemptCount: 2 });
  expect((await race.events(jobId)).slice(-2)).toEqual(["ATTEMPT_QUEUED", "RESULT_DISCARDED"]);
});

test("a late success before the retry is discarded, and the record of it does not keep the retry from starting", async () => {
  const { jobId, claim, attemptId } = await unknownJob();
  await race.store.cancelAttempt(cancelAttemptCommand(attemptId));
  const held = await holdJob(race.sql, jobId);
  const success = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: "late" }));
  const retry = await held.line(() => race.other.retryJob(retryCommand(jobId, attemptId)));
  await held.release();
  expect(await success.answer).toMatchObject({ kind: "discarded", winnerId: null });
  expect(await retry.answer).toMatchObject({ kind: "started" });
  const next = await race.claimJob(jobId);
  expect(await race.store.completeAttempt({ ...reportOf(next), result: "fresh" })).toMatchObject({ kind: "completed" });
  expect(await race.job(jobId)).toMatchObject({ completedBy: next.attempt.id, result: "fresh" });
});
