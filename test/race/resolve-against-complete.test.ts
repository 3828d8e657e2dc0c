/** resolveAttempt against completeAttempt, in both orders and with both outcomes: one decides, and the other's answer tells the truth. */
import { expect, test } from "vitest";
import { holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { foundFailed, loseOne, reportOf, resolveCommand } from "../support/store-kit.ts";

const race = openRace();
const found = (result: number) => ({ kind: "SUCCEEDED", result }) as const;

async function unknownJob() {
  const { jobId, claim } = await race.startJob();
  await loseOne(race.store, claim);
  return { jobId, claim, held: await holdJob(race.sql, jobId) };
}

test("a late completion that comes first wins, and the operator's other result is discarded on record", async () => {
  const { jobId, claim, held } = await unknownJob();
  const completion = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: 1 }));
  const resolution = await held.line(() => race.other.resolveAttempt(resolveCommand(claim.attempt.id, found(2))));
  await held.release();
  expect(await completion.answer).toMatchObject({ kind: "completed", repeated: false });
  expect(await resolution.answer).toMatchObject({ kind: "discarded", winnerId: claim.attempt.id });
  expect(await race.job(jobId)).toMatchObject({ state: "SUCCEEDED", result: 1 });
  expect((await race.events(jobId)).at(-1)).toBe("RESULT_DISCARDED");
});

test("a late completion that comes first with the result the operator found is the same outcome", async () => {
  const { claim, held } = await unknownJob();
  const completion = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: 1 }));
  const resolution = await held.line(() => race.other.resolveAttempt(resolveCommand(claim.attempt.id, found(1))));
  await held.release();
  expect(await completion.answer).toMatchObject({ kind: "completed" });
  expect(await resolution.answer).toMatchObject({ kind: "resolved", repeated: true });
});

test("a late completion that comes first leaves nothing to be resolved as FAILED", async () => {
  const { jobId, claim, held } = await unknownJob();
  const completion = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: 1 }));
  const resolution = await held.line(() => race.other.resolveAttempt(resolveCommand(claim.attempt.id, foundFailed)));
  await held.release();
  expect(await completion.answer).toMatchObject({ kind: "completed" });
  expect(await resolution.answer).toEqual({ kind: "closed", attemptId: claim.attempt.id });
  expect(await race.job(jobId)).toMatchObject({ state: "SUCCEEDED", failure: null });
});

test("a resolution SUCCEEDED that comes first takes the slot, and the worker's other result is discarded on record", async () => {
  const { jobId, claim, held } = await unknownJob();
  const resolution = await held.line(() => race.other.resolveAttempt(resolveCommand(claim.attempt.id, found(2))));
  const completion = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: 1 }));
  await held.release();
  expect(await resolution.answer).toMatchObject({ kind: "resolved", repeated: false });
  expect(await completion.answer).toMatchObject({ kind: "discarded", winnerId: claim.attempt.id });
  expect(await race.job(jobId)).toMatchObject({ state: "SUCCEEDED", result: 2, completedBy: claim.attempt.id });
});

test("a resolution FAILED that comes first fences the attempt off, and the late result is discarded on record", async () => {
  const { jobId, claim, held } = await unknownJob();
  const resolution = await held.line(() => race.other.resolveAttempt(resolveCommand(claim.attempt.id, foundFailed)));
  const completion = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: 1 }));
  await held.release();
  expect(await resolution.answer).toMatchObject({ kind: "resolved", repeated: false });
  expect(await completion.answer).toMatchObject({ kind: "discarded", winnerId: null });
  expect(await race.job(jobId)).toMatchObject({ state: "FAILED", failure: { code: "RESOLVED_FAILED" } });
  expect((await race.attempts(jobId)).at(-1)).toMatchObject({ state: "FAILED", effectUncertain: true });
});
