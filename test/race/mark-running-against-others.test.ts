/** markRunning against itself and against the sweep, in both orders: RUNNING is told once, and never after UNKNOWN. */
import { expect, test } from "vitest";
import { holdAttempt, holdClock, holdJob, lineUp } from "../support/hold-job.ts";
import { overdue } from "../support/overdue.ts";
import { openRace } from "../support/race.ts";
import { cancelAttemptCommand, reportOf } from "../support/store-kit.ts";

const race = openRace();

test("of two reports that the attempt runs, the first in line is told as an event and its request id stays", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const first = await held.line(() => race.store.markRunning({ ...reportOf(claim), providerRequestId: "one" }));
  const second = await held.line(() => race.other.markRunning({ ...reportOf(claim), providerRequestId: "two" }));
  await held.release();
  expect(await first.answer).toMatchObject({ kind: "running" });
  expect(await second.answer).toMatchObject({ kind: "running" });
  expect((await race.events(jobId)).filter((type) => type === "ATTEMPT_RUNNING")).toHaveLength(1);
  expect((await race.attempts(jobId))[0]).toMatchObject({ state: "RUNNING", providerRequestId: "one" });
});

test("a second report that brings the first request id adds it, without a second event", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const first = await held.line(() => race.store.markRunning({ ...reportOf(claim), providerRequestId: null }));
  const second = await held.line(() => race.other.markRunning({ ...reportOf(claim), providerRequestId: "two" }));
  await held.release();
  expect(await first.answer).toMatchObject({ kind: "running" });
  expect(await second.answer).toMatchObject({ kind: "running" });
  expect((await race.events(jobId)).filter((type) => type === "ATTEMPT_RUNNING")).toHaveLength(1);
  expect((await race.attempts(jobId))[0]?.providerRequestId).toBe("two");
});

test("a report behind the sweep leaves the attempt UNKNOWN, and its request id is kept for look-up", async () => {
  const { jobId, claim } = await race.startJob();
  await overdue(race.sql, [claim.attempt.id]);
  const held = await holdAttempt(race.sql, claim.attempt.id);
  const sweep = await held.line(() => race.other.expireAttempts(10));
  const report = await held.line(() => race.store.markRunning({ ...reportOf(claim), providerRequestId: "one" }));
  await held.release();
  expect(await sweep.answer).toHaveLength(1);
  expect(await report.answer).toMatchObject({ kind: "running" });
  expect((await race.attempts(jobId))[0]).toMatchObject({ state: "UNKNOWN", providerRequestId: "one" });
  expect((await race.events(jobId)).slice(-2)).toEqual(["ATTEMPT_STARTING", "ATTEMPT_UNKNOWN"]);
});

test("a sweep passes by an attempt whose report is under way, and finds it overdue the next time", async () => {
  const { jobId, claim } = await race.startJob();
  await overdue(race.sql, [claim.attempt.id]);
  const held = await holdAttempt(race.sql, claim.attempt.id);
  const report = await held.line(() => race.store.markRunning({ ...reportOf(claim), providerRequestId: null }));
  expect(await race.other.expireAttempts(10)).toEqual([]);
  await held.release();
  expect(await report.answer).toMatchObject({ kind: "running" });
  expect(await race.other.expireAttempts(10)).toHaveLength(1);
  expect((await race.events(jobId)).slice(-2)).toEqual(["ATTEMPT_RUNNING", "ATTEMPT_UNKNOWN"]);
});

test("a sweep that saw the attempt STARTING and overdue before it was RUNNING expires it all the same, after that event", async () => {
  const { jobId, claim } = await race.startJob();
  await overdue(race.sql, [claim.attempt.id]);
  const clock = await holdClock(race.sql);
  const sweep = await lineUp(race.sql, () => race.other.expireAttempts(10));
  expect(await race.store.markRunning({ ...reportOf(claim), providerRequestId: null })).toMatchObject({
    kind: "running",
  });
  await clock.release();
  expect(await sweep.answer).toHaveLength(1);
  expect((await race.events(jobId)).slice(-2)).toEqual(["ATTEMPT_RUNNING", "ATTEMPT_UNKNOWN"]);
});

test("a report behind a cancellation is refused, and the attempt stays CANCELLED", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const cancellation = await held.line(() => race.other.cancelAttempt(cancelAttemptCommand(claim.attempt.id)));
  const report = await held.line(() => race.store.markRunning({ ...reportOf(claim), providerRequestId: "one" }));
  await held.release();
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled" });
  expect(await report.answer).toMatchObject({ kind: "closed" });
  expect((await race.attempts(jobId))[0]).toMatchObject({ state: "CANCELLED", providerRequestId: null });
});
