/** cancelJobs, the API's withdrawal of many, against a completion and a claim of one among them, in both orders: it answers with exactly those that it withdrew. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeId } from "../../src/store/ids.ts";
import { claimedJob, newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { checkInvariants } from "../support/check-invariants.ts";
import { holdAttempt, holdJob } from "../support/hold-job.ts";

/** Two processes on one database. */
let server: ApiServer;
let other: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
  other = await startApiServer({ databaseUrl: server.databaseUrl });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const withdraw = () =>
  server.ann.send("cancel-jobs", { filter: { states: ["QUEUED", "RUNNING"] }, reason: "the shop closes" });
const uuid = (jobId: string) => decodeId("job", jobId) ?? "";

/** Two jobs with a worker; the calls meet at the first one, and the second is withdrawn whatever happens. */
async function twoRunning() {
  const [contested, plain] = [await claimedJob(server), await claimedJob(server)];
  return { contested, plain, held: await holdJob(server.sql, uuid(contested.job.id)) };
}

test("a completion that comes first wins, and the withdrawal answers with the other job alone", async () => {
  const { contested, plain, held } = await twoRunning();
  const completion = await held.line(() => contested.held.complete({ pages: 1 }));
  const withdrawal = await held.line(withdraw);
  await held.release();
  expect((await completion.answer).__typename).toBe("CompleteAttemptSuccess");
  expect((await withdrawal.answer).jobs?.map(({ id }) => id)).toEqual([plain.job.id]);
  expect(await server.ann.job(contested.job.id)).toMatchObject({ state: "SUCCEEDED", result: { pages: 1 } });
});

test("a withdrawal that comes first closes both jobs, and the result is discarded on record", async () => {
  const { contested, plain, held } = await twoRunning();
  const withdrawal = await held.line(withdraw);
  const completion = await held.line(() => contested.held.complete({ pages: 1 }));
  await held.release();
  const ids = (await withdrawal.answer).jobs?.map(({ id }) => id).toSorted();
  expect(ids).toEqual([contested.job.id, plain.job.id].toSorted());
  expect((await completion.answer).__typename).toBe("ResultDiscarded");
  expect(await server.ann.job(contested.job.id)).toMatchObject({ state: "CANCELLED", result: null, winner: null });
});

/** A job that waits for a worker, and the attempt that claim and withdrawal meet at. */
async function oneQueued() {
  const job = await newJob(server);
  const attemptId = decodeId("att", job.latestAttempt.id) ?? "";
  return { job, held: await holdAttempt(server.sql, attemptId) };
}
const claim = () => other.worker.claim({ limit: 100 });

test("a claim that comes first hands the attempt out, and the withdrawal behind it cancels it, its effect uncertain", async () => {
  const { job, held } = await oneQueued();
  const claiming = await held.line(claim);
  const withdrawal = await held.line(withdraw);
  await held.release();
  expect((await claiming.answer).map(({ attempt }) => attempt.job.id)).toEqual([job.id]);
  expect((await withdrawal.answer).jobs?.map(({ id }) => id)).toEqual([job.id]);
  const { latestAttempt } = await server.ann.job(job.id);
  expect(latestAttempt).toMatchObject({ state: "CANCELLED", effectUncertain: true });
});

test("a claim passes by a job whose withdrawal is under way", async () => {
  const { job, held } = await oneQueued();
  const withdrawal = await held.line(withdraw);
  expect(await claim()).toEqual([]);
  await held.release();
  expect((await withdrawal.answer).jobs?.map(({ id }) => id)).toEqual([job.id]);
  const { latestAttempt } = await server.ann.job(job.id);
  expect(latestAttempt).toMatchObject({ state: "CANCELLED", effectUncertain: false });
});

test("after all of these the rows keep the invariants", async () => {
  expect(await checkInvariants(server.sql)).toEqual([]);
});
