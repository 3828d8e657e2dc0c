/** Claims on a limited provider against each other, from two processes: they take turns, and whoever waited counts what the one before has started. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { countDeadlocks } from "../support/count-deadlocks.ts";
import { emptyTables } from "../support/empty-tables.ts";
import { lineUp } from "../support/hold-job.ts";
import { claimWithin, countWaiting, limited, queueAt } from "../support/limited-claims.ts";
import { operator } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";

let db: TestStore;
let other: Store;
beforeAll(async () => {
  db = await openTestStore();
  other = await db.openAnother();
});
beforeEach(() => emptyTables(db.sql));
afterAll(() => db.close());

/** Holds the row by which claims on a limited provider take turns. */
async function holdPace(): Promise<() => Promise<void>> {
  const session = await db.sql.reserve();
  await session`begin`;
  await session`select from provider_paces where provider = 'inkjet' for update`;
  return async () => {
    await session`commit`;
    session.release();
  };
}

test("a claim that waited for another one's counts what that one has started", async () => {
  await queueAt(db.store, 10);
  const limits = limited({ maxRunning: 3, pace: { starts: 9, perMs: 60_000 } });
  await claimWithin(db.store, limits, { limit: 1 });
  const letGo = await holdPace();
  const first = await lineUp(db.sql, () => claimWithin(db.store, limits));
  const second = await lineUp(db.sql, () => claimWithin(other, limits));
  await letGo();
  const taken = [await first.answer, await second.answer].map((claims) => claims.length);
  expect(taken).toEqual([2, 0]);
});

test("a claim that waited for its turn starts nothing on a provider that was paused meanwhile", async () => {
  await queueAt(db.store, 3);
  const limits = limited({ maxRunning: 3 });
  await claimWithin(db.store, limits, { limit: 1 });
  const letGo = await holdPace();
  const waiting = await lineUp(db.sql, () => claimWithin(db.store, limits));
  await other.pauseProvider({ provider: "inkjet", reason: "no ink", actor: operator });
  await letGo();
  expect(await waiting.answer).toEqual([]);
});

test("a claim whose turn does not come in time finds nothing, and the next one finds all", async () => {
  const impatient = await openStore({ url: db.url, lockTimeoutMs: 50 });
  await queueAt(db.store, 2);
  const limits = limited({ maxRunning: 3 });
  await claimWithin(db.store, limits, { limit: 1 });
  const letGo = await holdPace();
  expect(await claimWithin(impatient, limits)).toEqual([]);
  await letGo();
  expect(await claimWithin(impatient, limits)).toHaveLength(1);
  await impatient.close();
});

test("a claim with a key whose turn does not come in time fails rather than finding nothing: the first one's are under way", async () => {
  const impatient = await openStore({ url: db.url, lockTimeoutMs: 50 });
  await queueAt(db.store, 2);
  const keyed = { claimKey: "once", limit: 1 };
  const limits = limited({ maxRunning: 3 });
  await claimWithin(db.store, limits, { limit: 1 });
  const letGo = await holdPace();
  const first = await lineUp(db.sql, () => claimWithin(db.store, limits, keyed));
  await expect(claimWithin(impatient, limits, keyed)).rejects.toMatchObject({ code: "55P03" });
  await letGo();
  const got = await first.answer;
  expect(got).toHaveLength(1);
  expect((await claimWithin(impatient, limits, keyed)).map((one) => one.leaseToken)).toEqual([got[0]?.leaseToken]);
  await impatient.close();
});

test("what a claim has taken reaches its worker, whatever becomes of the look at when there is room again", async () => {
  await queueAt(db.store, 3);
  const limits = limited({ pace: { starts: 2, perMs: 60_000 } });
  const fresh = await db.openAnother();
  await claimWithin(fresh, limits, { limit: 1 });
  const letGo = await holdPace();
  const claiming = await lineUp(db.sql, () => claimWithin(fresh, limits));
  // The table is locked as a whole right behind the claim, so the look that comes after it waits, and fails.
  const session = await db.sql.reserve();
  await session`begin`;
  const locking = session`lock table provider_paces in access exclusive mode`.execute();
  await waitUntil("the table's lock is waited for", async () => {
    const rows = await db.sql`select from pg_locks where mode = 'AccessExclusiveLock' and not granted`;
    return rows.length === 1;
  });
  await letGo();
  await locking;
  expect(await claiming.answer).toHaveLength(1);
  await session`commit`;
  session.release();
  await fresh.close();
});

test("thirty claims at once from two processes stay within maxRunning, and lose nothing", async () => {
  await queueAt(db.store, 40);
  const limits = limited({ maxRunning: 7 });
  const claims = await Promise.all(
    Array.from({ length: 30 }, (_, index) => claimWithin(index % 2 === 0 ? db.store : other, limits, { limit: 2 })),
  );
  expect(claims.flat()).toHaveLength(7);
  expect(await countWaiting(db.sql)).toBe(33);
});

test("thirty claims at once from two processes stay within the pace", async () => {
  await queueAt(db.store, 40);
  const limits = limited({ pace: { starts: 5, perMs: 60_000 } });
  const claims = await Promise.all(
    Array.from({ length: 30 }, (_, index) => claimWithin(index % 2 === 0 ? db.store : other, limits, { limit: 2 })),
  );
  expect(claims.flat()).toHaveLength(5);
  expect(await countWaiting(db.sql)).toBe(35);
});

test("claims that name several limited providers, each process in an order of its own, never deadlock", async () => {
  const stores = [await db.openAnother(), await db.openAnother()] as const;
  const limits = ["inkjet", "laser"].map((provider) => ({ provider, maxRunning: 1_000, pace: null }));
  for (let round = 0; round < 20; round += 1) {
    await queueAt(db.store, 2);
    await queueAt(db.store, 2, "laser");
    await Promise.all([
      claimWithin(stores[0], limits, { limit: 2, providers: ["inkjet", "laser"] }),
      claimWithin(stores[1], limits, { limit: 2, providers: ["laser", "inkjet"] }),
      claimWithin(stores[0], limits, { limit: 1, providers: ["laser"] }),
      claimWithin(stores[1], limits, { limit: 1, providers: ["inkjet"] }),
    ]);
  }
  // The count is of the whole database, so this test comes last and closes every store.
  expect(await countDeadlocks(db.sql, [db.store, other, ...stores])).toBe(0);
});
