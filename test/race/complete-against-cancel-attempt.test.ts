/** completeAttempt against cancelAttempt, in both orders: one of them decides, and the other's answer tells the truth. */
import { expect, test } from "vitest";
import { holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { cancelAttemptCommand, claimOne, createOne, reportOf } from "../support/store-kit.ts";

const race = openRace();

test("a completion that comes first wins, and the cancellation finds the attempt closed", async () => {
  const jobId = await createOne(race.store);
  const claim = await claimOne(race.store);
  const held = await holdJob(race.sql, jobId);
  const completion = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: 1 }));
  const cancellation = await held.line(() => race.other.cancelAttempt(cancelAttemptCommand(claim.attempt.id)));
  await held.release();
  expect(await completion.answer).toMatchObject({ kind: "completed", repeated: false });
  expect(await cancellation.answer).toEqual({ kind: "closed", attemptId: claim.attempt.id });
  expect(await race.job(jobId)).toMatchObject({ state: "SUCCEEDED", completedBy: claim.attempt.id });
});

test("a cancellation that comes first fences the attempt off, and the result is discarded on record", async () => {
  const jobId = await createOne(race.store);
  const claim = await claimOne(race.store);
  const held = await holdJob(race.sql, jobId);
  const cancellation = await held.line(() => race.other.cancelAttempt(cancelAttemptCommand(claim.attempt.id)));
  const completion = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: 1 }));
  await held.release();
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled", repeated: false });
  expect(await completion.answer).toMatchObject({ kind: "discarded", winnerId: null });
  expect(await race.job(jobId)).toMatchObject({ state: "FAILED", completedBy: null });
  expect((await race.events(jobId)).at(-1)).toBe("RESULT_DISCARDED");
});
