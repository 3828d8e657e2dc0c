/** Heartbeats against the sweep, one by one in both orders and as batches over the same attempts: no lease is lost, nothing deadlocks. */
import { expect, test } from "vitest";
import type { Claim } from "../../src/store/worker-commands.ts";
import { countDeadlocks } from "../support/count-deadlocks.ts";
import { holdAttempt, holdClock, lineUp } from "../support/hold-job.ts";
import { overdue } from "../support/overdue.ts";
import { openRace } from "../support/race.ts";
import { createCommand, reportOf, termsOf } from "../support/store-kit.ts";

const race = openRace();
const beat = (claim: Claim) => ({ ...reportOf(claim), progress: null });

test("a heartbeat that comes first saves the attempt from a sweep that already waits for it", async () => {
  const { jobId, claim } = await race.startJob();
  await overdue(race.sql, [claim.attempt.id]);
  const held = await holdAttempt(race.sql, claim.attempt.id);
  const heartbeat = await held.line(() => race.store.heartbeat(beat(claim)));
  const sweep = await held.line(() => race.other.expireAttempts(10));
  await held.release();
  expect(await heartbeat.answer).toMatchObject({ kind: "beating", leaseMs: 60_000 });
  expect(await sweep.answer).toEqual([]);
  expect(await race.job(jobId)).toMatchObject({ state: "RUNNING", eventCount: 3 });
});

test("a sweep that saw the lease over before the heartbeat leaves the attempt alone", async () => {
  const { jobId, claim } = await race.startJob();
  await overdue(race.sql, [claim.attempt.id]);
  const clock = await holdClock(race.sql);
  const sweep = await lineUp(race.sql, () => race.other.expireAttempts(10));
  expect(await race.store.heartbeat(beat(claim))).toMatchObject({ kind: "beating" });
  await clock.release();
  expect(await sweep.answer).toEqual([]);
  expect(await race.job(jobId)).toMatchObject({ state: "RUNNING", eventCount: 3 });
});

test("a heartbeat behind the sweep is told to go on, without a lease, and the attempt stays UNKNOWN", async () => {
  const { jobId, claim } = await race.startJob();
  await overdue(race.sql, [claim.attempt.id]);
  const held = await holdAttempt(race.sql, claim.attempt.id);
  const sweep = await held.line(() => race.other.expireAttempts(10));
  const heartbeat = await held.line(() => race.store.heartbeat(beat(claim)));
  await held.release();
  expect(await sweep.answer).toHaveLength(1);
  expect(await heartbeat.answer).toMatchObject({ kind: "beating", leaseExpiresAt: null });
  expect((await race.attempts(jobId))[0]).toMatchObject({ state: "UNKNOWN", leaseExpiresAt: null });
});

test("forty jobs, forty rounds: batches of heartbeats against sweeps leave each attempt beaten or UNKNOWN, and never deadlock", async () => {
  const [beating, sweeping] = [await race.openAnother(), await race.openAnother()];
  const terms = termsOf("shared");
  let beaten = 0;
  let expired = 0;
  for (let round = 0; round < 40; round += 1) {
    await Promise.all(Array.from({ length: 40 }, () => beating.createJob(createCommand({ terms }))));
    const claims = await beating.claimAttempts({
      workerId: "w",
      claimedBy: "token",
      providers: ["shared"],
      operations: null,
      limit: 40,
      claimKey: null,
    });
    expect(claims).toHaveLength(40);
    await overdue(
      race.sql,
      claims.map((claim) => claim.attempt.id),
    );
    const order = round % 2 === 0 ? claims : claims.toReversed();
    const [swept, ...answers] = await Promise.all([
      sweeping.expireAttempts(100),
      ...order.map((claim) => beating.heartbeat(beat(claim))),
    ]);
    const lost = new Set(swept.map((one) => one.attemptId));
    beaten += answers.filter((answer) => answer.kind === "beating" && answer.leaseExpiresAt !== null).length;
    expired += lost.size;
    const now = await beating.read.attempts(
      claims.map((claim) => claim.attempt.id),
      null,
    );
    for (const attempt of now) expect(attempt.state).toBe(lost.has(attempt.id) ? "UNKNOWN" : "STARTING");
    await Promise.all(claims.map((claim) => beating.completeAttempt({ ...reportOf(claim), result: null })));
  }
  expect(beaten + expired).toBe(40 * 40);
  expect(await countDeadlocks(race.sql, [beating, sweeping, race.store, race.other])).toBe(0);
}, 60_000);
