/** claimAttempts against claimAttempts from two dispatchers: an attempt goes to one of them, and one claim key to one claim. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Claim, ClaimAttempts } from "../../src/store/worker-commands.ts";
import { holdAttempt, holdClock, lineUp } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { termsOf } from "../support/store-kit.ts";

const race = openRace();

function claimOf(provider: string, changes: Partial<ClaimAttempts> = {}): ClaimAttempts {
  const common = { workerId: "w", claimedBy: "token", operations: null, limit: 1, claimKey: null };
  return { ...common, providers: [provider], ...changes };
}

/** What a worker goes by: which attempts, in which order, under which tokens. */
function held(claims: readonly Claim[]): string[] {
  return claims.map((claim) => `${claim.attempt.id} ${claim.leaseToken}`);
}

async function queueTogether(count: number) {
  const provider = `inkjet-${randomUUID()}`;
  const queued = [];
  for (let index = 0; index < count; index += 1) queued.push(await race.queueJob({ terms: termsOf(provider) }));
  return { provider, attemptIds: queued.map((one) => one.attemptId), jobIds: queued.map((one) => one.jobId) };
}

test("a claim passes by the attempt that another is taking, and the other one gets it", async () => {
  const { jobId, attemptId, provider } = await race.queueJob();
  const row = await holdAttempt(race.sql, attemptId);
  const first = await row.line(() => race.store.claimAttempts(claimOf(provider)));
  expect(await race.other.claimAttempts(claimOf(provider))).toEqual([]);
  await row.release();
  expect((await first.answer).map((claim) => claim.attempt.id)).toEqual([attemptId]);
  expect(await race.events(jobId)).toEqual(["JOB_CREATED", "ATTEMPT_QUEUED", "ATTEMPT_STARTING"]);
});

test("a claim that saw the attempt waiting before another one took it gets nothing", async () => {
  const { jobId, attemptId, provider } = await race.queueJob();
  const clock = await holdClock(race.sql);
  const late = await lineUp(race.sql, () => race.store.claimAttempts(claimOf(provider)));
  const taken = await race.other.claimAttempts(claimOf(provider));
  await clock.release();
  expect(taken.map((claim) => claim.attempt.id)).toEqual([attemptId]);
  expect(await late.answer).toEqual([]);
  expect((await race.attempts(jobId))[0]?.leaseToken).toBe(taken[0]?.leaseToken);
});

test("forty claims of two dispatchers share sixty attempts without taking one twice", async () => {
  const { provider, attemptIds } = await queueTogether(60);
  const claims = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? race.store : race.other).claimAttempts(claimOf(provider, { limit: 3 })),
    ),
  );
  const taken = claims.flat().map((claim) => claim.attempt.id);
  expect(new Set(taken).size).toBe(taken.length);
  const rest = await race.store.claimAttempts(claimOf(provider, { limit: 60 }));
  expect([...taken, ...rest.map((claim) => claim.attempt.id)].toSorted()).toEqual(attemptIds.toSorted());
});

test.each([1, 2])(
  "a repeat of a claim that is under way, with its key, gets its %i attempt(s) under the same tokens",
  async (count) => {
    const { provider, attemptIds } = await queueTogether(count);
    const keyed = claimOf(provider, { claimKey: randomUUID(), limit: count });
    const row = await holdAttempt(race.sql, attemptIds[0] ?? "");
    const first = await row.line(() => race.store.claimAttempts(keyed));
    const second = await row.line(() => race.other.claimAttempts(keyed));
    await row.release();
    const got = held(await first.answer);
    expect(got).toHaveLength(count);
    expect(held(await second.answer)).toEqual(got);
  },
);

test("a repeat with its key takes no further attempt, though more are waiting", async () => {
  const { provider, attemptIds } = await queueTogether(3);
  const keyed = claimOf(provider, { claimKey: randomUUID() });
  const row = await holdAttempt(race.sql, attemptIds[0] ?? "");
  const first = await row.line(() => race.store.claimAttempts(keyed));
  const second = await row.line(() => race.other.claimAttempts(keyed));
  await row.release();
  const got = held(await first.answer);
  expect(got).toHaveLength(1);
  expect(held(await second.answer)).toEqual(got);
  const rest = await race.store.claimAttempts(claimOf(provider, { limit: 3 }));
  expect(rest.map((claim) => claim.attempt.id)).toEqual(attemptIds.slice(1));
});

test("of twenty claims with one key at once from two dispatchers, all get the same attempts under the same tokens", async () => {
  const { provider } = await queueTogether(6);
  const keyed = claimOf(provider, { claimKey: randomUUID(), limit: 2 });
  const claims = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? race.store : race.other).claimAttempts(keyed)),
  );
  expect(claims[0]).toHaveLength(2);
  expect(new Set(claims.map((one) => held(one).join())).size).toBe(1);
});
