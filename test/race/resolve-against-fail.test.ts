/** resolveAttempt against failAttempt, in both orders: whoever comes first ends the attempt, and a retry follows only a worker's own failure. */
import { expect, test } from "vitest";
import { holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { failureOf, foundFailed, resolveCommand } from "../support/store-kit.ts";

const race = openRace();
const failure = { code: "BUSY", message: "Try again.", remedy: "SAME_PROVIDER" } as const;
const outcomes = [
  ["SUCCEEDED", { kind: "SUCCEEDED", result: 1 }],
  ["FAILED", foundFailed],
] as const;

test.each(outcomes)(
  "a resolution %s that comes first leaves the failure nothing to end, and no retry follows",
  async (state, outcome) => {
    const { jobId, claim } = await race.startJob();
    const held = await holdJob(race.sql, jobId);
    const resolution = await held.line(() => race.other.resolveAttempt(resolveCommand(claim.attempt.id, outcome)));
    const failing = await held.line(() => race.store.failAttempt(failureOf(claim, { failure })));
    await held.release();
    expect(await resolution.answer).toMatchObject({ kind: "resolved", repeated: false });
    expect(await failing.answer).toMatchObject({ kind: "closed" });
    expect(await race.job(jobId)).toMatchObject({ state, attemptCount: 1 });
  },
);

test("a failure that comes first queues its retry, and a resolution FAILED of the failed attempt leaves the retry alone", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const failing = await held.line(() => race.store.failAttempt(failureOf(claim, { failure })));
  const resolution = await held.line(() => race.other.resolveAttempt(resolveCommand(claim.attempt.id, foundFailed)));
  await held.release();
  expect(await failing.answer).toMatchObject({ kind: "recorded", repeated: false });
  expect(await resolution.answer).toMatchObject({ kind: "resolved", repeated: true });
  expect((await race.attempts(jobId)).map((one) => one.state)).toEqual(["FAILED", "QUEUED"]);
});

test("a failure that comes first queues its retry, and a resolution SUCCEEDED of the failed attempt is discarded", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const failing = await held.line(() => race.store.failAttempt(failureOf(claim, { failure })));
  const found = { kind: "SUCCEEDED", result: 1 } as const;
  const resolution = await held.line(() => race.other.resolveAttempt(resolveCommand(claim.attempt.id, found)));
  await held.release();
  expect(await failing.answer).toMatchObject({ kind: "recorded", repeated: false });
  expect(await resolution.answer).toMatchObject({ kind: "discarded", winnerId: null });
  expect((await race.attempts(jobId)).map((one) => one.state)).toEqual(["FAILED", "QUEUED"]);
  expect(await race.job(jobId)).toMatchObject({ state: "QUEUED", completedBy: null });
});

test("an unclear answer and a resolution meet in either order, and the operator's outcome stands", async () => {
  for (const first of ["resolution", "report"]) {
    const { jobId, claim } = await race.startJob();
    const held = await holdJob(race.sql, jobId);
    const resolve = () => race.other.resolveAttempt(resolveCommand(claim.attempt.id, foundFailed));
    const report = () => race.store.failAttempt(failureOf(claim, { certain: false }));
    const calls = first === "report" ? [report, resolve] : [resolve, report];
    const lined = [];
    for (const call of calls) lined.push(await held.line<{ kind: string }>(call));
    await held.release();
    const kinds = await Promise.all(lined.map(async ({ answer }) => (await answer).kind));
    expect(kinds).toEqual(first === "report" ? ["recorded", "resolved"] : ["resolved", "closed"]);
    expect(await race.job(jobId)).toMatchObject({ state: "FAILED", version: 2 });
  }
});
