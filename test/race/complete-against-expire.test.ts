/** completeAttempt against the sweep, in both orders: a late success still counts, and a sweep never undoes one (I4). */
import { expect, test } from "vitest";
import { holdAttempt, holdClock, lineUp } from "../support/hold-job.ts";
import { overdue } from "../support/overdue.ts";
import { openRace } from "../support/race.ts";
import { reportOf } from "../support/store-kit.ts";

const race = openRace();

test("a sweep that comes first makes the attempt UNKNOWN, and the completion behind it still wins", async () => {
  const { jobId, claim } = await race.startJob();
  await overdue(race.sql, [claim.attempt.id]);
  const held = await holdAttempt(race.sql, claim.attempt.id);
  const sweep = await held.line(() => race.other.expireAttempts(10));
  const completion = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: 1 }));
  await held.release();
  expect(await sweep.answer).toEqual([{ jobId, attemptId: claim.attempt.id, cause: "LEASE" }]);
  expect(await completion.answer).toMatchObject({ kind: "completed", repeated: false });
  expect(await race.job(jobId)).toMatchObject({ state: "SUCCEEDED", completedBy: claim.attempt.id, failure: null });
  expect((await race.events(jobId)).slice(-3)).toEqual(["ATTEMPT_UNKNOWN", "ATTEMPT_SUCCEEDED", "JOB_SUCCEEDED"]);
});

test("a sweep passes by a job whose completion is under way", async () => {
  const { jobId, claim } = await race.startJob();
  await overdue(race.sql, [claim.attempt.id]);
  const held = await holdAttempt(race.sql, claim.attempt.id);
  const completion = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: 1 }));
  expect(await race.other.expireAttempts(10)).toEqual([]);
  await held.release();
  expect(await completion.answer).toMatchObject({ kind: "completed" });
  expect(await race.job(jobId)).toMatchObject({ state: "SUCCEEDED" });
});

test("a sweep that saw the attempt overdue before its completion leaves the success alone", async () => {
  const { jobId, claim } = await race.startJob();
  await overdue(race.sql, [claim.attempt.id]);
  const clock = await holdClock(race.sql);
  const sweep = await lineUp(race.sql, () => race.other.expireAttempts(10));
  expect(await race.store.completeAttempt({ ...reportOf(claim), result: 1 })).toMatchObject({ kind: "completed" });
  await clock.release();
  expect(await sweep.answer).toEqual([]);
  expect(await race.job(jobId)).toMatchObject({ state: "SUCCEEDED", completedBy: claim.attempt.id });
  expect((await race.events(jobId)).slice(-2)).toEqual(["ATTEMPT_SUCCEEDED", "JOB_SUCCEEDED"]);
});
