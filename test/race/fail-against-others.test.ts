/** failAttempt against itself, cancelAttempt and the sweep, in both orders: one end for an attempt, at most one attempt after it. */
import { expect, test } from "vitest";
import { holdAttempt, holdClock, holdJob, lineUp } from "../support/hold-job.ts";
import { overdue } from "../support/overdue.ts";
import { openRace } from "../support/race.ts";
import { cancelAttemptCommand, failureOf } from "../support/store-kit.ts";

const race = openRace();
const failure = { code: "BUSY", message: "Try again.", remedy: "SAME_PROVIDER" } as const;

test("one failure reported by two processes queues one retry, and both are told that it is recorded", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const first = await held.line(() => race.store.failAttempt(failureOf(claim, { failure })));
  const second = await held.line(() => race.other.failAttempt(failureOf(claim, { failure })));
  await held.release();
  expect(await first.answer).toMatchObject({ kind: "recorded", repeated: false });
  expect(await second.answer).toMatchObject({ kind: "recorded", repeated: true });
  expect((await race.attempts(jobId)).map((one) => one.state)).toEqual(["FAILED", "QUEUED"]);
});

test("a cancellation that comes first is followed by no automatic retry, and the failure finds the attempt closed", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const cancellation = await held.line(() => race.other.cancelAttempt(cancelAttemptCommand(claim.attempt.id)));
  const failing = await held.line(() => race.store.failAttempt(failureOf(claim, { failure })));
  await held.release();
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled", repeated: false });
  expect(await failing.answer).toMatchObject({ kind: "closed" });
  expect(await race.job(jobId)).toMatchObject({ state: "FAILED", attemptCount: 1 });
});

test("a failure that comes first queues its retry, and the cancellation of the failed attempt leaves the retry alone", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const failing = await held.line(() => race.store.failAttempt(failureOf(claim, { failure })));
  const cancellation = await held.line(() => race.other.cancelAttempt(cancelAttemptCommand(claim.attempt.id)));
  await held.release();
  expect(await failing.answer).toMatchObject({ kind: "recorded", repeated: false });
  expect(await cancellation.answer).toEqual({ kind: "closed", attemptId: claim.attempt.id });
  expect((await race.attempts(jobId)).map((one) => one.state)).toEqual(["FAILED", "QUEUED"]);
});

test("a certain failure behind the sweep ends the UNKNOWN attempt, and its retry follows", async () => {
  const { jobId, claim } = await race.startJob();
  await overdue(race.sql, [claim.attempt.id]);
  const held = await holdAttempt(race.sql, claim.attempt.id);
  const sweep = await held.line(() => race.other.expireAttempts(10));
  const failing = await held.line(() => race.store.failAttempt(failureOf(claim, { failure })));
  await held.release();
  expect(await sweep.answer).toHaveLength(1);
  expect(await failing.answer).toMatchObject({ kind: "recorded", repeated: false });
  expect((await race.attempts(jobId)).map((one) => one.state)).toEqual(["FAILED", "QUEUED"]);
  expect((await race.events(jobId)).slice(-3)).toEqual(["ATTEMPT_UNKNOWN", "ATTEMPT_FAILED", "ATTEMPT_QUEUED"]);
});

test.each([true, false])(
  "a sweep that saw the attempt overdue before its failure (certain: %s) changes nothing",
  async (certain) => {
    const { jobId, claim } = await race.startJob();
    await overdue(race.sql, [claim.attempt.id]);
    const clock = await holdClock(race.sql);
    const sweep = await lineUp(race.sql, () => race.other.expireAttempts(10));
    const failing = await race.store.failAttempt(failureOf(claim, { certain, failure }));
    expect(failing).toMatchObject({ kind: "recorded", repeated: false });
    await clock.release();
    expect(await sweep.answer).toEqual([]);
    const states = (await race.attempts(jobId)).map((one) => one.state);
    expect(states).toEqual(certain ? ["FAILED", "QUEUED"] : ["UNKNOWN"]);
  },
);
