/** A claim asked again with its key gets what it still holds, and what a claim fixes for an attempt. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ClaimAttempts } from "../../src/store/worker-commands.ts";
import { emptyTables } from "../support/empty-tables.ts";
import { shiftClock } from "../support/shift-clock.ts";
import { createOne, failureOf, loseOne, reportOf, termsOf } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
beforeAll(async () => {
  db = await openTestStore();
});
beforeEach(() => emptyTables(db.sql));
afterAll(() => db.close());

function claim(changes: Partial<ClaimAttempts> = {}) {
  const all = {
    workerId: "w",
    claimedBy: "token",
    providers: ["inkjet", "laser"],
    operations: null,
    limit: 10,
    claimKey: null,
  };
  return db.store.claimAttempts({ ...all, ...changes });
}

async function claimedJobs(changes: Partial<ClaimAttempts> = {}): Promise<string[]> {
  return (await claim(changes)).map((one) => one.attempt.jobId);
}

/** One after the other, so that each is younger than the one before. */
async function createInTurn(count: number, changes: Parameters<typeof createOne>[1] = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push(await createOne(db.store, changes));
  return ids;
}

async function dbNow(): Promise<number> {
  const [row] = await db.sql<{ now: Date }[]>`select onejob_now() as now`;
  return row!.now.getTime();
}

describe("asked again with its key", () => {
  test("it hands nothing to a token of the same owner that may not claim from that provider", async () => {
    const [inkjetJob] = await createInTurn(1);
    expect(await claimedJobs({ providers: ["inkjet"], claimKey: "k" })).toEqual([inkjetJob]);
    expect(await claimedJobs({ providers: ["laser"], claimKey: "k" })).toEqual([]);
    expect(await claimedJobs({ providers: ["inkjet"], claimKey: "k" })).toEqual([inkjetJob]);
  });

  const ofKey = (claims: Awaited<ReturnType<typeof claim>>) =>
    claims.map(({ attempt, leaseToken }) => [attempt.id, leaseToken]);

  test("it gets the same attempts under the same tokens, and no others", async () => {
    await createInTurn(5);
    const claimKey = randomUUID();
    const first = ofKey(await claim({ claimKey, limit: 2 }));
    expect(first).toHaveLength(2);
    expect(ofKey(await claim({ claimKey, limit: 2 }))).toEqual(first);
    expect(ofKey(await claim({ claimKey, limit: 10 }))).toEqual(first);
  });

  test("it is told how much of lease and deadline is left", async () => {
    await createOne(db.store);
    const claimKey = randomUUID();
    const [first] = await claim({ claimKey });
    expect(first).toMatchObject({ leaseMs: 60_000, deadlineMs: 60_000 });
    await shiftClock(db.sql, "20 seconds");
    const [again] = await claim({ claimKey });
    expect(again!.leaseMs).toBeGreaterThan(20_000);
    expect(again!.leaseMs).toBeLessThanOrEqual(40_000);
    expect(again!.deadlineAt).toEqual(first!.deadlineAt);
  });

  test("it gets what it still holds: neither what has ended nor anything in its place", async () => {
    await createInTurn(4);
    const claimKey = randomUUID();
    const [one, two] = await claim({ claimKey, limit: 2 });
    await db.store.completeAttempt({ ...reportOf(one!), result: 1 });
    expect(ofKey(await claim({ claimKey, limit: 2 }))).toEqual(ofKey([two!]));
    await loseOne(db.store, two!);
    expect(await claim({ claimKey, limit: 2 })).toEqual([]);
  });

  test("a claim that got nothing may get something later", async () => {
    const claimKey = randomUUID();
    expect(await claim({ claimKey })).toEqual([]);
    const jobId = await createOne(db.store);
    expect(await claimedJobs({ claimKey })).toEqual([jobId]);
  });

  test("another caller with the same key gets attempts of its own", async () => {
    await createInTurn(2);
    const [mine] = await claim({ claimKey: "k", limit: 1, claimedBy: "ann" });
    const [theirs] = await claim({ claimKey: "k", limit: 1, claimedBy: "bob" });
    expect(theirs!.attempt.id).not.toBe(mine!.attempt.id);
    expect(ofKey(await claim({ claimKey: "k", limit: 1, claimedBy: "ann" }))).toEqual(ofKey([mine!]));
  });
});

test("a claim fixes token, lease and deadline by the terms that the attempt was made with", async () => {
  await createOne(db.store, {
    terms: { ...termsOf("inkjet"), attemptTimeoutMs: 30_000, leaseMs: 5_000 },
    traceparent: "00-trace",
    operationVersion: 3,
  });
  const before = await dbNow();
  const [one] = await claim();
  expect(one).toMatchObject({
    leaseMs: 5_000,
    deadlineMs: 30_000,
    operation: "print",
    operationVersion: 3,
    traceparent: "00-trace",
    input: { text: "hello" },
  });
  expect(one!.deadlineAt.getTime() - one!.leaseExpiresAt.getTime()).toBe(25_000);
  expect(one!.leaseExpiresAt.getTime()).toBeGreaterThanOrEqual(before + 5_000);
  expect(one!.attempt).toMatchObject({
    state: "STARTING",
    workerId: "w",
    claimedBy: "token",
    number: 1,
    jobVersion: 1,
  });
});

test("every claim has a token of its own, also of the same job", async () => {
  await createOne(db.store);
  const [first] = await claim();
  await db.store.failAttempt(failureOf(first!, { failure: { code: "BUSY", message: "", remedy: "SAME_PROVIDER" } }));
  const [second] = await claim();
  expect(second!.attempt.jobId).toBe(first!.attempt.jobId);
  expect(second!.leaseToken).not.toBe(first!.leaseToken);
});
