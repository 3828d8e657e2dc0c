/**
 * An attempt on another provider against the revocation of what certifies it, in both orders: the statement that inserts the
 * attempt holds the certification, so none starts on a revoked one, and none is revoked between the look and the start (I9).
 */
import type postgres from "postgres";
import { expect, test } from "vitest";
import type { Claim } from "../../src/store/worker-commands.ts";
import { certify, revoke } from "../support/certify.ts";
import { holdInserts, lineUp } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { claimOne, createOne, failureOf, retryCommand } from "../support/store-kit.ts";

const race = openRace();

/** A job whose first attempt is under way on its own provider, and a pass of the other one. */
async function certifiedJob() {
  const certificationId = await certify(race.sql);
  const jobId = await createOne(race.store);
  return { certificationId, jobId, claim: await claimOne(race.store) };
}

function failOver(claim: Claim) {
  const failure = { code: "REFUSED", message: "Not here.", remedy: "OTHER_PROVIDER" } as const;
  return race.store.failAttempt(failureOf(claim, { failure }));
}

async function failForGood(claim: Claim): Promise<void> {
  await race.store.failAttempt(failureOf(claim));
}

const retryOn = (jobId: string, claim: Claim) =>
  race.store.retryJob(retryCommand(jobId, claim.attempt.id, { provider: "laser" }));

/** A session outside holds the certification until the call is seen waiting for it, and then revokes it. */
async function revokeAheadOf<Answer>(id: string, call: () => Promise<Answer>): Promise<Answer> {
  const { answer } = await race.sql.begin(async (session) => {
    await session`select from certifications where id = ${id} for update`;
    const lined = await lineUp(race.sql, call);
    await revoke(session as unknown as postgres.Sql, id);
    return lined;
  });
  return answer;
}

/** The call has come as far as inserting its attempt when the revocation is seen waiting. */
async function revokeBehind<Answer>(id: string, call: () => Promise<Answer>): Promise<Answer> {
  const held = await holdInserts(race.sql, "attempts");
  const lined = await held.line(call);
  const revocation = await held.line(() => revoke(race.sql, id));
  await held.release();
  await revocation.answer;
  return lined.answer;
}

test("a retry behind the revocation does not start, and says why", async () => {
  const { certificationId, jobId, claim } = await certifiedJob();
  await failForGood(claim);
  const answer = await revokeAheadOf(certificationId, () => retryOn(jobId, claim));
  expect(answer).toEqual({ kind: "not-certified", provider: "laser", reason: "REVOKED", certificationId });
  expect(await race.attempts(jobId)).toHaveLength(1);
});

test("a revocation behind a retry waits until its attempt is there, and stops the next one", async () => {
  const { certificationId, jobId, claim } = await certifiedJob();
  await failForGood(claim);
  const answer = await revokeBehind(certificationId, () => retryOn(jobId, claim));
  expect(answer).toMatchObject({ kind: "started" });
  expect((await race.attempts(jobId))[1]).toMatchObject({ provider: "laser", state: "QUEUED", certificationId });
  const onFallback = await claimOne(race.store, ["laser"]);
  await failForGood(onFallback);
  expect(await retryOn(jobId, onFallback)).toMatchObject({ kind: "not-certified", reason: "REVOKED" });
});

test("an automatic failover behind the revocation does not start, and the refusal is on record", async () => {
  const { certificationId, jobId, claim } = await certifiedJob();
  await revokeAheadOf(certificationId, () => failOver(claim));
  expect(await race.attempts(jobId)).toHaveLength(1);
  expect(await race.job(jobId)).toMatchObject({ state: "FAILED" });
  const events = await race.store.read.events([{ jobId, number: 0 }], 100);
  expect(events.at(-2)).toMatchObject({ type: "FAILOVER_REFUSED", detail: { provider: "laser", reason: "REVOKED" } });
});

test("a revocation behind an automatic failover waits until its attempt is there", async () => {
  const { certificationId, jobId, claim } = await certifiedJob();
  expect(await revokeBehind(certificationId, () => failOver(claim))).toMatchObject({ kind: "recorded" });
  expect((await race.attempts(jobId))[1]).toMatchObject({ provider: "laser", state: "QUEUED", certificationId });
});
