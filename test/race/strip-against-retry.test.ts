/** Retention's stripping of a failed job against retryJob, in both orders: nothing is tried with an input that is gone, and no live job loses its own. */
import { expect, test } from "vitest";
import { sqlStateOf } from "../../src/store/connect.ts";
import { holdJob, lineUp } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { failureOf, retryCommand } from "../support/store-kit.ts";
import { stripJob } from "../support/strip-job.ts";

const race = openRace();

async function failedJob() {
  const { jobId, claim } = await race.startJob();
  await race.store.failAttempt(failureOf(claim));
  return { jobId, endedId: claim.attempt.id };
}

test("a retry that waits behind the stripping starts nothing", async () => {
  const { jobId, endedId } = await failedJob();
  const { answer } = await race.sql.begin(async (session) => {
    await stripJob(session, jobId);
    return lineUp(race.sql, () => race.store.retryJob(retryCommand(jobId, endedId)));
  });
  expect(await answer).toEqual({ kind: "purged", jobId });
  expect(await race.store.retryJob(retryCommand(jobId, endedId))).toEqual({ kind: "purged", jobId });
  expect(await race.job(jobId)).toMatchObject({ state: "FAILED", attemptCount: 1 });
});

test("a retry that comes first keeps its input: the stripping behind it is refused", async () => {
  const { jobId, endedId } = await failedJob();
  const held = await holdJob(race.sql, jobId);
  const retry = await held.line(() => race.store.retryJob(retryCommand(jobId, endedId)));
  const stripping = await held.line(() => stripJob(race.sql, jobId));
  const refused = stripping.answer.then(
    () => null,
    (error: unknown) => sqlStateOf(error),
  );
  await held.release();
  expect(await retry.answer).toMatchObject({ kind: "started", jobId });
  expect(await refused).toBe("OJ002");
  expect(await race.job(jobId)).toMatchObject({ state: "QUEUED", purgedAt: null, input: { text: "hello" } });
});
