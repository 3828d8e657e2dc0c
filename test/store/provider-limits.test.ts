/** A provider's limits hold over all processes: so many attempts running at a time, so many starts in any span of time; the others wait QUEUED. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { emptyTables } from "../support/empty-tables.ts";
import { claimWithin, countWaiting, limited, queueAt } from "../support/limited-claims.ts";
import { shiftClock } from "../support/shift-clock.ts";
import { failureOf, loseOne, reportOf } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
let other: Store;
beforeAll(async () => {
  db = await openTestStore();
  other = await openStore({ url: db.url });
});
beforeEach(() => emptyTables(db.sql));
afterAll(async () => {
  await other.close();
  await db.close();
});

test("no more attempts run than maxRunning allows, over both processes, and the others wait", async () => {
  await queueAt(db.store, 10);
  const limits = limited({ maxRunning: 3 });
  const claims = [...(await claimWithin(db.store, limits, { limit: 2 })), ...(await claimWithin(other, limits))];
  expect(claims).toHaveLength(3);
  expect(await claimWithin(db.store, limits)).toEqual([]);
  expect(await countWaiting(db.sql)).toBe(7);
});

test("every end makes room: a success, a failure, and an attempt that became UNKNOWN", async () => {
  await queueAt(db.store, 10);
  const limits = limited({ maxRunning: 3 });
  const [won, failed, lost] = await claimWithin(db.store, limits);
  await db.store.completeAttempt({ ...reportOf(won!), result: 1 });
  expect(await claimWithin(other, limits)).toHaveLength(1);
  await db.store.failAttempt(failureOf(failed!));
  expect(await claimWithin(other, limits)).toHaveLength(1);
  await loseOne(db.store, lost!);
  expect(await claimWithin(other, limits)).toHaveLength(1);
  expect(await claimWithin(other, limits)).toEqual([]);
});

test("no more attempts start within any span than the pace allows, by the database's clock", async () => {
  await queueAt(db.store, 10);
  const limits = limited({ pace: { starts: 4, perMs: 60_000 } });
  expect(await claimWithin(db.store, limits, { limit: 3 })).toHaveLength(3);
  await shiftClock(db.sql, "40 seconds");
  expect(await claimWithin(other, limits)).toHaveLength(1);
  expect(await claimWithin(other, limits)).toEqual([]);
  await shiftClock(db.sql, "61 seconds");
  expect(await claimWithin(db.store, limits)).toHaveLength(3);
  await shiftClock(db.sql, "101 seconds");
  expect(await claimWithin(db.store, limits)).toHaveLength(1);
  await shiftClock(db.sql, "3 minutes");
  expect(await claimWithin(db.store, limits)).toHaveLength(2);
});

test("a clock that was put back stops a provider for one span of its pace, and no longer", async () => {
  await queueAt(db.store, 10);
  const limits = limited({ pace: { starts: 2, perMs: 60_000 } });
  await shiftClock(db.sql, "1 hour");
  expect(await claimWithin(db.store, limits)).toHaveLength(2);
  await shiftClock(db.sql, "0");
  expect(await claimWithin(db.store, limits)).toEqual([]);
  await shiftClock(db.sql, "61 seconds");
  expect(await claimWithin(db.store, limits)).toHaveLength(2);
});

test("a server with a shorter span does not make another one forget the starts of its longer one", async () => {
  await queueAt(db.store, 10);
  const [long, short] = [60_000, 100].map((perMs) => limited({ pace: { starts: 3, perMs } }));
  expect(await claimWithin(db.store, long!)).toHaveLength(3);
  await shiftClock(db.sql, "1 second");
  expect(await claimWithin(other, short!, { limit: 1 })).toHaveLength(1);
  expect(await claimWithin(db.store, long!)).toEqual([]);
});

test("a process is told when its pace has room again, without a poll", async () => {
  await queueAt(db.store, 3);
  const limits = limited({ pace: { starts: 2, perMs: 100 } });
  const fresh = await db.openAnother();
  const told = new Promise<void>((resolve) => {
    fresh.onHint((hint) => {
      if (hint.queued && hint.jobIds.length === 0) resolve();
    });
  });
  expect(await claimWithin(fresh, limits)).toHaveLength(2);
  await told;
  expect(await claimWithin(fresh, limits)).toHaveLength(1);
});

test("a limit of one provider limits no other, and what it leaves over is taken from the other", async () => {
  await queueAt(db.store, 5);
  await queueAt(db.store, 5, "laser");
  const limits = limited({ maxRunning: 2 });
  const claims = await claimWithin(db.store, limits, { limit: 10, providers: ["inkjet", "laser"] });
  const count = (provider: string) => claims.filter((one) => one.attempt.provider === provider).length;
  expect([count("inkjet"), count("laser")]).toEqual([2, 5]);
});

test("only what was started counts, though the claim had room for more", async () => {
  await queueAt(db.store, 3);
  await queueAt(db.store, 3, "laser");
  const limits = limited({ pace: { starts: 4, perMs: 60_000 } });
  await claimWithin(db.store, limits, { limit: 1, providers: ["laser"] });
  // Inkjet comes first, being the one served the longest ago, and yields one; laser comes next.
  expect(await claimWithin(db.store, limits, { limit: 1, providers: ["inkjet", "laser"] })).toHaveLength(1);
  expect(await claimWithin(db.store, limits, { limit: 10 })).toHaveLength(2);
  await queueAt(db.store, 5);
  expect(await claimWithin(db.store, limits, { limit: 10 })).toHaveLength(1);
});
