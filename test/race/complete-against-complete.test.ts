/** completeAttempt against completeAttempt: the slot is taken once, by the first result whose fence fits, never by seniority (I5). */
import { expect, test } from "vitest";
import { holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { cancelAttemptCommand, loseOne, reportOf, retryCommand } from "../support/store-kit.ts";

const race = openRace();

test("the same result of one attempt from two processes is recorded once, and both are told so", async () => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const first = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: { a: 1, b: 2 } }));
  const second = await held.line(() => race.other.completeAttempt({ ...reportOf(claim), result: { b: 2, a: 1 } }));
  await held.release();
  expect(await first.answer).toMatchObject({ kind: "completed", repeated: false });
  expect(await second.answer).toMatchObject({ kind: "completed", repeated: true });
  expect((await race.events(jobId)).slice(-2)).toEqual(["ATTEMPT_SUCCEEDED", "JOB_SUCCEEDED"]);
  expect((await race.job(jobId)).eventCount).toBe(5);
});

test.each([
  ["A", "B"],
  ["B", "A"],
])("of the results %s and %s of one attempt the first in line wins, and the other is discarded", async (...results) => {
  const { jobId, claim } = await race.startJob();
  const held = await holdJob(race.sql, jobId);
  const first = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: results[0] }));
  const second = await held.line(() => race.other.completeAttempt({ ...reportOf(claim), result: results[1] }));
  await held.release();
  expect(await first.answer).toMatchObject({ kind: "completed", repeated: false });
  expect(await second.answer).toMatchObject({ kind: "discarded", winnerId: claim.attempt.id });
  expect(await race.job(jobId)).toMatchObject({ state: "SUCCEEDED", result: results[0] });
  expect((await race.events(jobId)).at(-1)).toBe("RESULT_DISCARDED");
});

/** The primary was given up while UNKNOWN, and a fallback took over: both are about to answer. */
async function primaryAndFallback() {
  const { jobId, claim: primary } = await race.startJob();
  await loseOne(race.store, primary);
  await race.store.cancelAttempt(cancelAttemptCommand(primary.attempt.id));
  const started = await race.store.retryJob(
    retryCommand(jobId, primary.attempt.id, {
      provider: `laser-${jobId}`,
      override: { by: "olga", reason: "The inkjet hangs." },
    }),
  );
  expect(started.kind).toBe("started");
  return { jobId, primary, fallback: await race.claimJob(jobId) };
}

test("the fallback's result comes first and wins, and the primary's behind it is discarded", async () => {
  const { jobId, primary, fallback } = await primaryAndFallback();
  const held = await holdJob(race.sql, jobId);
  const first = await held.line(() => race.store.completeAttempt({ ...reportOf(fallback), result: "laser" }));
  const second = await held.line(() => race.other.completeAttempt({ ...reportOf(primary), result: "inkjet" }));
  await held.release();
  expect(await first.answer).toMatchObject({ kind: "completed", repeated: false });
  expect(await second.answer).toMatchObject({ kind: "discarded", winnerId: fallback.attempt.id });
  expect(await race.job(jobId)).toMatchObject({ completedBy: fallback.attempt.id, result: "laser" });
  expect((await race.attempts(jobId)).map((one) => one.state)).toEqual(["CANCELLED", "SUCCEEDED"]);
});

test("the primary's result comes first but is fenced off, and the fallback's behind it wins", async () => {
  const { jobId, primary, fallback } = await primaryAndFallback();
  const held = await holdJob(race.sql, jobId);
  const first = await held.line(() => race.other.completeAttempt({ ...reportOf(primary), result: "inkjet" }));
  const second = await held.line(() => race.store.completeAttempt({ ...reportOf(fallback), result: "laser" }));
  await held.release();
  expect(await first.answer).toMatchObject({ kind: "discarded" });
  expect(await second.answer).toMatchObject({ kind: "completed", repeated: false });
  expect(await race.job(jobId)).toMatchObject({ completedBy: fallback.attempt.id, result: "laser" });
});
