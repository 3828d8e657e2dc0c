/** An owner's cancelAttempt against claimAttempts, in both orders: a QUEUED attempt is the owner's to cancel, a claimed one is not. */
import { expect, test } from "vitest";
import { holdAttempt, holdClock, lineUp } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { cancelAttemptCommand, owner } from "../support/store-kit.ts";

const race = openRace();
const byOwner = { scope: "ann", isOperator: false, actor: owner } as const;
const claimOf = (provider: string) => ({
  workerId: "w",
  claimedBy: "token",
  providers: [provider],
  operations: null,
  limit: 1,
  claimKey: null,
});

test("an owner's cancellation behind a claim is refused: the attempt may act, so only operators may free it", async () => {
  const { jobId, attemptId, provider } = await race.queueJob();
  const held = await holdAttempt(race.sql, attemptId);
  const claim = await held.line(() => race.store.claimAttempts(claimOf(provider)));
  const cancellation = await held.line(() => race.other.cancelAttempt(cancelAttemptCommand(attemptId, byOwner)));
  await held.release();
  expect(await claim.answer).toHaveLength(1);
  expect(await cancellation.answer).toEqual({ kind: "operators-only", attemptId });
  expect(await race.job(jobId)).toMatchObject({ state: "RUNNING", version: 1, eventCount: 3 });
});

test("behind a claim, where the operation lets its owner cancel, the cancellation counts and the effect is uncertain", async () => {
  const { jobId, attemptId, provider } = await race.queueJob();
  const held = await holdAttempt(race.sql, attemptId);
  const claim = await held.line(() => race.store.claimAttempts(claimOf(provider)));
  const lenient = { ...byOwner, ownerMayCancel: () => true };
  const cancellation = await held.line(() => race.other.cancelAttempt(cancelAttemptCommand(attemptId, lenient)));
  await held.release();
  expect(await claim.answer).toHaveLength(1);
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled", repeated: false });
  expect((await race.attempts(jobId))[0]).toMatchObject({ state: "CANCELLED", effectUncertain: true });
});

test("a claim passes by an attempt whose cancellation by its owner is under way", async () => {
  const { jobId, attemptId, provider } = await race.queueJob();
  const held = await holdAttempt(race.sql, attemptId);
  const cancellation = await held.line(() => race.other.cancelAttempt(cancelAttemptCommand(attemptId, byOwner)));
  expect(await race.store.claimAttempts(claimOf(provider))).toEqual([]);
  await held.release();
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled", repeated: false });
  expect((await race.attempts(jobId))[0]).toMatchObject({ state: "CANCELLED", effectUncertain: false });
});

test("a claim that saw the attempt waiting before its owner cancelled it gets nothing", async () => {
  const { jobId, attemptId, provider } = await race.queueJob();
  const clock = await holdClock(race.sql);
  const claim = await lineUp(race.sql, () => race.store.claimAttempts(claimOf(provider)));
  const answer = await race.other.cancelAttempt(cancelAttemptCommand(attemptId, byOwner));
  expect(answer).toMatchObject({ kind: "cancelled", repeated: false });
  await clock.release();
  expect(await claim.answer).toEqual([]);
  expect(await race.job(jobId)).toMatchObject({ state: "FAILED" });
});
