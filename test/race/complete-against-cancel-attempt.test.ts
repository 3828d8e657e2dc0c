/** completeAttempt against cancelAttempt, in both orders: one of them decides, and the other's answer tells the truth. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdJob } from "../support/hold-job.ts";
import { cancelAttemptCommand, claimOne, createOne, reportOf } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
beforeAll(async () => {
  db = await openTestStore();
});
afterAll(() => db.close());

test("a completion that comes first wins, and the cancellation finds the attempt closed", async () => {
  const jobId = await createOne(db.store);
  const claim = await claimOne(db.store);
  const held = await holdJob(db.sql, jobId);
  const completion = await held.line(() => db.store.completeAttempt({ ...reportOf(claim), result: 1 }));
  const cancellation = await held.line(() => db.store.cancelAttempt(cancelAttemptCommand(claim.attempt.id)));
  await held.release();
  expect(await completion.answer).toMatchObject({ kind: "completed", repeated: false });
  expect(await cancellation.answer).toEqual({ kind: "closed", attemptId: claim.attempt.id });
  const [job] = await db.store.read.jobs([jobId], null);
  expect(job).toMatchObject({ state: "SUCCEEDED", completedBy: claim.attempt.id });
});

test("a cancellation that comes first fences the attempt off, and the result is discarded on record", async () => {
  const jobId = await createOne(db.store);
  const claim = await claimOne(db.store);
  const held = await holdJob(db.sql, jobId);
  const cancellation = await held.line(() => db.store.cancelAttempt(cancelAttemptCommand(claim.attempt.id)));
  const completion = await held.line(() => db.store.completeAttempt({ ...reportOf(claim), result: 1 }));
  await held.release();
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled", repeated: false });
  expect(await completion.answer).toMatchObject({ kind: "discarded", winnerId: null });
  const [job] = await db.store.read.jobs([jobId], null);
  expect(job).toMatchObject({ state: "FAILED", completedBy: null });
  const events = await db.store.read.events([{ jobId, number: 0 }], 100);
  expect(events.at(-1)?.type).toBe("RESULT_DISCARDED");
});
