/** completeAttempt against failAttempt of the same attempt, with and without an automatic retry: an attempt ends once (I5, I6). */
import { expect, test } from "vitest";
import { holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { failureOf, reportOf } from "../support/store-kit.ts";

const race = openRace();
const retried = { code: "BUSY", message: "Try again.", remedy: "SAME_PROVIDER" } as const;
const final = { code: "JAMMED", message: "Paper jam.", remedy: "NONE" } as const;

test.each([retried, final])(
  "a completion that comes first wins, and the failure $code finds the attempt closed",
  async (failure) => {
    const { jobId, claim } = await race.startJob();
    const held = await holdJob(race.sql, jobId);
    const completion = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: 1 }));
    const failing = await held.line(() => race.other.failAttempt(failureOf(claim, { failure })));
    await held.release();
    expect(await completion.answer).toMatchObject({ kind: "completed", repeated: false });
    expect(await failing.answer).toMatchObject({ kind: "closed", attemptId: claim.attempt.id });
    expect(await race.job(jobId)).toMatchObject({ state: "SUCCEEDED", attemptCount: 1, failure: null });
  },
);

test("a final failure that comes first ends the job FAILED, and the result is discarded on record", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const failing = await held.line(() => race.other.failAttempt(failureOf(claim, { failure: final })));
  const completion = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: 1 }));
  await held.release();
  expect(await failing.answer).toMatchObject({ kind: "recorded", repeated: false });
  expect(await completion.answer).toMatchObject({ kind: "discarded", winnerId: null });
  expect(await race.job(jobId)).toMatchObject({ state: "FAILED", completedBy: null, result: null });
});

test("a completion that waits behind fail-and-retry does not win the slot for a FAILED attempt", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const failing = await held.line(() => race.other.failAttempt(failureOf(claim, { failure: retried })));
  const completion = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: "stale" }));
  await held.release();
  expect(await failing.answer).toMatchObject({ kind: "recorded", repeated: false });
  expect(await completion.answer).toMatchObject({ kind: "discarded", winnerId: null });
  expect(await race.job(jobId)).toMatchObject({ state: "QUEUED", completedBy: null, attemptCount: 2 });
  expect((await race.attempts(jobId)).map((one) => one.state)).toEqual(["FAILED", "QUEUED"]);
  const next = await race.claimJob(jobId);
  const answer = await race.store.completeAttempt({ ...reportOf(next), result: "fresh" });
  expect(answer).toMatchObject({ kind: "completed", repeated: false });
  expect(await race.job(jobId)).toMatchObject({ completedBy: next.attempt.id, result: "fresh" });
});
