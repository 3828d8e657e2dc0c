/** Claims on a limited provider against each other, from two processes: they take turns, and whoever waited counts what the one before has started. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ProviderLimits } from "../../src/domain/provider-limits.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import type { Claim } from "../../src/store/worker-commands.ts";
import { countDeadlocks } from "../support/count-deadlocks.ts";
import { emptyTables } from "../support/empty-tables.ts";
import { lineUp } from "../support/hold-job.ts";
import { createCommand, operator } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
let other: Store;
beforeAll(async () => {
  db = await openTestStore();
  other = await db.openAnother();
});
beforeEach(() => emptyTables(db.sql));
afterAll(() => db.close());

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

test("a claim that waited for its turn starts nothing on a provider that was paused meanwhile", async () => {
  await queue(3);
  const limits = limited({ maxRunning: 3 });
  await claim(db.store, limits, 1);
  const letGo = await holdPace();
  const waiting = await lineUp(db.sql, () => claim(db.store, limits));
  await other.pauseProvider({ provider: "inkjet", reason: "no ink", actor: operator });
  await letGo();
  expect(await waiting.answer).toEqual([]);
});

test("a claim whose turn does not come in time finds nothing, and the next one finds all", async () => {
  const impatient = await openStore({ url: db.url, lockTimeoutMs: 50 });
  await queue(2);
  const limits = limited({ maxRunning: 3 });
  await claim(db.store, limits, 1);
  const letGo = await holdPace();
  expect(await claim(impatient, limits)).toEqual([]);
  await letGo();
  expect(await claim(impatient, limits)).toHaveLength(1);
  await impatient.close();
});

test("thirty claims at once from two processes stay within maxRunning, and lose nothing", async () => {
  await queue(40);
  const limits = limited({ maxRunning: 7 });
  const claims = await Promise.all(
    Array.from({ length: 30 }, (_, index) => claim(index % 2 === 0 ? db.store : other, limits, 2)),
  );
  expect(claims.flat()).toHaveLength(7);
  expect(await waitingCount()).toBe(33);
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

test("claims that name several limited providers, each process in an order of its own, never deadlock", async () => {
  const stores = [await db.openAnother(), await db.openAnother()] as const;
  const limits = ["inkjet", "laser"].map((provider) => ({ provider, maxRunning: 1_000, pace: null }));
  for (let round = 0; round < 20; round += 1) {
    await queue(2);
    await queue(2, "laser");
    await Promise.all([
      claim(stores[0], limits, 2, ["inkjet", "laser"]),
      claim(stores[1], limits, 2, ["laser", "inkjet"]),
      claim(stores[0], limits, 1, ["laser"]),
      claim(stores[1], limits, 1, ["inkjet"]),
    ]);
  }
  // The count is of the whole database, so this test comes last and closes every store.
  expect(await countDeadlocks(db.sql, [db.store, other, ...stores])).toBe(0);
});
