/** Places in an owner's creation rate, asked for by two processes at once: they take turns at the owner's row, and nobody else waits for it. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { countDeadlocks } from "../support/count-deadlocks.ts";
import { emptyTables } from "../support/empty-tables.ts";
import { lineUp } from "../support/hold-job.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
let other: Store;
beforeAll(async () => {
  db = await openTestStore({ lockTimeoutMs: 25_000 });
  other = await db.openAnother();
});
beforeEach(() => emptyTables(db.sql));
afterAll(() => db.close());

const limit = { count: 10, perMs: 3_600_000 };

async function take(store: Store, amount = 1, ownerId = "ann"): Promise<boolean> {
  const idempotencyKeys = Array.from({ length: amount }, () => randomUUID());
  return (await store.takeCreations({ ownerId, idempotencyKeys, limit })).granted;
}

/** Holds Ann's row, of which there is one from her first place on. */
async function holdRate(): Promise<() => Promise<void>> {
  await take(db.store);
  const session = await db.sql.reserve();
  await session`begin`;
  await session`select from creation_rates where owner_id = 'ann' for update`;
  return async () => {
    await session`commit`;
    session.release();
  };
}

test("whoever waited for another process counts what that one has taken", async () => {
  const letGo = await holdRate();
  const first = await lineUp(db.sql, () => take(db.store, 6));
  const second = await lineUp(db.sql, () => take(other, 6));
  const third = take(other, 3);
  await letGo();
  expect([await first.answer, await second.answer, await third]).toEqual([true, false, true]);
});

test("another owner waits neither for the row nor for those who do, in no process", async () => {
  const letGo = await holdRate();
  const waiting = await lineUp(db.sql, () => take(db.store));
  expect(await Promise.all([take(db.store, 1, "bob"), take(other, 1, "bob")])).toEqual([true, true]);
  await letGo();
  expect(await waiting.answer).toBe(true);
});

test("however many wait for one owner's row in a process, one session of the database does", async () => {
  const letGo = await holdRate();
  const first = await lineUp(db.sql, () => take(db.store));
  const others = Array.from({ length: 30 }, () => take(db.store));
  // Each goes through the batcher, behind which the thirty are by now: others of the process would be next to wait.
  await take(db.store, 1, "bob");
  const [row] = await db.sql<{ blocked: number }[]>`select count(*)::int as blocked from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  expect(row?.blocked).toBe(1);
  await letGo();
  expect([await first.answer, ...(await Promise.all(others))].filter(Boolean)).toHaveLength(9);
});

test("batches of two processes over the same owners never deadlock", async () => {
  const database = await openTestStore();
  const [one, two] = [database.store, await database.openAnother()];
  const owners = Array.from({ length: 40 }, (_, index) => `owner-${index}`);
  const asked = (store: Store, names: readonly string[]) => names.map((name) => take(store, 1, name));
  for (let round = 0; round < 10; round += 1) {
    const granted = await Promise.all([...asked(one, owners), ...asked(two, owners.toReversed())]);
    expect(granted.filter(Boolean)).toHaveLength(round < 5 ? 80 : 0);
  }
  expect(await countDeadlocks(database.sql, [one, two])).toBe(0);
  await database.close();
});
