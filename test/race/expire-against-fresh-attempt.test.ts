/** The sweep against a fresh attempt of the same job: what it saw of the old attempt never reaches the new one (I6). */
import { expect, test } from "vitest";
import { holdAttempt, holdClock, holdJob, lineUp } from "../support/hold-job.ts";
import { overdue } from "../support/overdue.ts";
import { openRace } from "../support/race.ts";
import { readRows } from "../support/read-rows.ts";
import { cancelAttemptCommand, failureOf, retryCommand } from "../support/store-kit.ts";

const race = openRace();

test("a sweep that saw the old attempt overdue leaves the new one, claimed meanwhile, untouched", async () => {
  const { jobId, claim } = await race.startJob();
  await overdue(race.sql, [claim.attempt.id]);
  const clock = await holdClock(race.sql);
  const sweep = await lineUp(race.sql, () => race.other.expireAttempts(10));
  await race.store.cancelAttempt(cancelAttemptCommand(claim.attempt.id));
  await race.store.retryJob(retryCommand(jobId, claim.attempt.id));
  await race.claimJob(jobId);
  const before = await readRows(race.sql, jobId);
  await clock.release();
  expect(await sweep.answer).toEqual([]);
  expect(await readRows(race.sql, jobId)).toEqual(before);
  expect((await race.attempts(jobId)).map((one) => one.state)).toEqual(["CANCELLED", "STARTING"]);
});

test("a sweep that saw the old attempt overdue leaves an automatic retry waiting", async () => {
  const { jobId, claim } = await race.startJob();
  await overdue(race.sql, [claim.attempt.id]);
  const clock = await holdClock(race.sql);
  const sweep = await lineUp(race.sql, () => race.other.expireAttempts(10));
  const failure = { code: "BUSY", message: "Try again.", remedy: "SAME_PROVIDER" } as const;
  await race.store.failAttempt(failureOf(claim, { failure }));
  const before = await readRows(race.sql, jobId);
  await clock.release();
  expect(await sweep.answer).toEqual([]);
  expect(await readRows(race.sql, jobId)).toEqual(before);
});

test("cancellation and retry behind the sweep start from UNKNOWN, and the next sweep does not touch the new attempt", async () => {
  const { jobId, claim } = await race.startJob();
  await overdue(race.sql, [claim.attempt.id]);
  const held = await holdAttempt(race.sql, claim.attempt.id);
  const sweep = await held.line(() => race.other.expireAttempts(10));
  const cancellation = await held.line(() => race.store.cancelAttempt(cancelAttemptCommand(claim.attempt.id)));
  await held.release();
  expect(await sweep.answer).toHaveLength(1);
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled" });
  await race.store.retryJob(retryCommand(jobId, claim.attempt.id));
  await race.claimJob(jobId);
  const before = await readRows(race.sql, jobId);
  expect(await race.other.expireAttempts(10)).toEqual([]);
  expect(await readRows(race.sql, jobId)).toEqual(before);
});

test("the sweep, asked while a retry is under way, passes by the job", async () => {
  const { jobId, claim } = await race.startJob();
  await race.store.failAttempt(failureOf(claim));
  const held = await holdJob(race.sql, jobId);
  const retry = await held.line(() => race.store.retryJob(retryCommand(jobId, claim.attempt.id)));
  expect(await race.other.expireAttempts(10)).toEqual([]);
  await held.release();
  expect(await retry.answer).toMatchObject({ kind: "started" });
});
