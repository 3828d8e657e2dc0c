/** A provider's limits hold over all processes: so many attempts running at a time, so many starts in any span of time; the others wait QUEUED. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ProviderLimits } from "../../src/domain/provider-limits.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import type { Claim } from "../../src/store/worker-commands.ts";
import { emptyTables } from "../support/empty-tables.ts";
import { lineUp } from "../support/hold-job.ts";
import { shiftClock } from "../support/shift-clock.ts";
import { createCommand, failureOf, loseOne, reportOf } from "../support/store-kit.ts";
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

async function queue(count: number, provider = "inkjet"): Promise<void> {
  const terms = { ...createCommand().terms, provider };
  await Promise.all(Array.from({ length: count }, () => db.store.createJob(createCommand({ terms }))));
}

function limited(limits: Partial<ProviderLimits>): ProviderLimits[] {
  return [{ provider: "inkjet", maxRunning: null, pace: null, ...limits }];
}

function claim(store: Store, limits: readonly ProviderLimits[], limit = 10, providers = ["inkjet"]): Promise<Claim[]> {
  const common = { workerId: "w", claimedBy: "token", operations: null, claimKey: null };
  return store.claimAttempts({ ...common, providers, limits, limit });
}

async function waitingCount(): Promise<number> {
  const [row] = await db.sql<{ count: number }[]>`select count(*)::int from attempts where state = 'QUEUED'`;
  return row!.count;
}

test("no more attempts run than maxRunning allows, over both processes, and the others wait", async () => {
  await queue(10);
  const limits = limited({ maxRunning: 3 });
  const claims = [...(await claim(db.store, limits, 2)), ...(await claim(other, limits))];
  expect(claims).toHaveLength(3);
  expect(await claim(db.store, limits)).toEqual([]);
  expect(await waitingCount()).toBe(7);
});

test("every end makes room: a success, a failure, and an attempt that became UNKNOWN", async () => {
  await queue(10);
  const limits = limited({ maxRunning: 3 });
  const [won, failed, lost] = await claim(db.store, limits);
  await db.store.completeAttempt({ ...reportOf(won!), result: 1 });
  expect(await claim(other, limits)).toHaveLength(1);
  await db.store.failAttempt(failureOf(failed!));
  expect(await claim(other, limits)).toHaveLength(1);
  await loseOne(db.store, lost!);
  expect(await claim(other, limits)).toHaveLength(1);
  expect(await claim(other, limits)).toEqual([]);
});

test("a claim that waited for another one's counts what that one has started", async () => {
  await queue(10);
  const limits = limited({ maxRunning: 3, pace: { starts: 9, perMs: 60_000 } });
  await claim(db.store, limits, 1);
  const letGo = await holdPace();
  const first = await lineUp(db.sql, () => claim(db.store, limits));
  const second = await lineUp(db.sql, () => claim(other, limits));
  await letGo();
  const taken = [await first.answer, await second.answer].map((claims) => claims.length);
  expect(taken).toEqual([2, 0]);
});

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

test("thirty claims at once from two processes stay within maxRunning, and lose nothing", async () => {
  await queue(40);
  const limits = limited({ maxRunning: 7 });
  const claims = await Promise.all(
    Array.from({ length: 30 }, (_, index) => claim(index % 2 === 0 ? db.store : other, limits, 2)),
  );
  expect(claims.flat()).toHaveLength(7);
  expect(await waitingCount()).toBe(33);
});

test("no more attempts start within any span than the pace allows, by the database's clock", async () => {
  await queue(10);
  const limits = limited({ pace: { starts: 4, perMs: 60_000 } });
  expect(await claim(db.store, limits, 3)).toHaveLength(3);
  await shiftClock(db.sql, "40 seconds");
  expect(await claim(other, limits)).toHaveLength(1);
  expect(await claim(other, limits)).toEqual([]);
  await shiftClock(db.sql, "61 seconds");
  expect(await claim(db.store, limits)).toHaveLength(3);
  await shiftClock(db.sql, "101 seconds");
  expect(await claim(db.store, limits)).toHaveLength(1);
  await shiftClock(db.sql, "3 minutes");
  expect(await claim(db.store, limits)).toHaveLength(2);
});

test("thirty claims at once from two processes stay within the pace", async () => {
  await queue(40);
  const limits = limited({ pace: { starts: 5, perMs: 60_000 } });
  const claims = await Promise.all(
    Array.from({ length: 30 }, (_, index) => claim(index % 2 === 0 ? db.store : other, limits, 2)),
  );
  expect(claims.flat()).toHaveLength(5);
  expect(await waitingCount()).toBe(35);
});

test("a limit of one provider limits no other, and what it leaves over is taken from the other", async () => {
  await queue(5);
  await queue(5, "laser");
  const limits = limited({ maxRunning: 2 });
  const claims = await claim(db.store, limits, 10, ["inkjet", "laser"]);
  const count = (provider: string) => claims.filter((one) => one.attempt.provider === provider).length;
  expect([count("inkjet"), count("laser")]).toEqual([2, 5]);
});

test("only what was started counts, though the claim had room for more", async () => {
  await queue(3);
  await queue(3, "laser");
  const limits = limited({ pace: { starts: 4, perMs: 60_000 } });
  await claim(db.store, limits, 1, ["laser"]);
  // Inkjet comes first, being the one served the longest ago, and yields one; laser comes next.
  expect(await claim(db.store, limits, 1, ["inkjet", "laser"])).toHaveLength(1);
  expect(await claim(db.store, limits, 10)).toHaveLength(2);
  await queue(5);
  expect(await claim(db.store, limits, 10)).toHaveLength(1);
});
