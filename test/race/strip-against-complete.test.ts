/** Retention's stripping against a late or repeated result, in both orders: the result does not come back, and what is too late is on record. */
import { expect, test } from "vitest";
import { holdJob, lineUp } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { reportOf } from "../support/store-kit.ts";
import { stripJob } from "../support/strip-job.ts";

const race = openRace();

async function wonJob() {
  const { jobId, claim } = await race.startJob();
  await race.store.completeAttempt({ ...reportOf(claim), result: "page" });
  return { jobId, attemptId: claim.attempt.id, late: { ...reportOf(claim), result: "late" } };
}

async function expectStripped(jobId: string): Promise<void> {
  expect(await race.job(jobId)).toMatchObject({ state: "SUCCEEDED", result: null, input: null, eventCount: 6 });
  expect((await race.events(jobId)).at(-1)).toBe("RESULT_DISCARDED");
}

test("a late result behind the stripping is discarded on record", async () => {
  const { jobId, attemptId, late } = await wonJob();
  const { answer } = await race.sql.begin(async (session) => {
    await stripJob(session, jobId);
    return lineUp(race.sql, () => race.store.completeAttempt(late));
  });
  expect(await answer).toEqual({ kind: "discarded", jobId, attemptId, winnerId: attemptId });
  await expectStripped(jobId);
});

test("a late result before the stripping is discarded on record, and the stripping takes nothing of that", async () => {
  const { jobId, late } = await wonJob();
  const held = await holdJob(race.sql, jobId);
  const completion = await held.line(() => race.store.completeAttempt(late));
  const stripping = await held.line(() => stripJob(race.sql, jobId));
  await held.release();
  expect(await completion.answer).toMatchObject({ kind: "discarded" });
  await stripping.answer;
  await expectStripped(jobId);
});
