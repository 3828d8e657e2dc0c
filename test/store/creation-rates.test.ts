/** An owner's creation rate holds over all processes and by the database's clock: never more than the limit within any span, and all of a call or none. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { TakeCreationsAnswer } from "../../src/store/commands.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { emptyTables } from "../support/empty-tables.ts";
import { shiftClock } from "../support/shift-clock.ts";
import { createOne } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
let other: Store;
beforeAll(async () => {
  db = await openTestStore();
  other = await db.openAnother();
});
beforeEach(() => emptyTables(db.sql));
afterAll(() => db.close());

const perMs = 60_000;
const limit = { count: 10, perMs };

function take(store: Store, amount = 1, changes = {}): Promise<TakeCreationsAnswer> {
  const idempotencyKeys = Array.from({ length: amount }, () => randomUUID());
  return store.takeCreations({ ownerId: "ann", idempotencyKeys, limit, ...changes });
}

async function grantedOf(asked: readonly Promise<TakeCreationsAnswer>[]): Promise<boolean[]> {
  return (await Promise.all(asked)).map((answer) => answer.granted);
}

async function nowMs(): Promise<number> {
  const [row] = await db.sql<{ ms: number }[]>`select extract(epoch from onejob_now())::float8 * 1000 as ms`;
  return row?.ms ?? Number.NaN;
}

const rateRows = () => db.sql`select xmin, r.* from creation_rates r order by owner_id, per_ms`;

test("two processes that ask at once get no more than the limit together", async () => {
  const asked = Array.from({ length: 60 }, (_, index) => take(index % 2 === 0 ? db.store : other));
  expect((await grantedOf(asked)).filter(Boolean)).toHaveLength(10);
});

test("of one process those who asked first get what is left, and each owner has an own rate", async () => {
  const owners = Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? "ann" : "bob"));
  const granted = await grantedOf(owners.map((ownerId) => take(db.store, 1, { ownerId })));
  expect(granted).toEqual(owners.map((_, index) => index < 20));
});

test("a call for several takes all of them or none, and one that does not fit keeps out none that does", async () => {
  expect(await grantedOf([take(db.store, 8), take(db.store, 3), take(db.store, 2), take(db.store, 1)])).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test("a refusal changes nothing, and more than the limit itself is never to be had", async () => {
  expect(await take(db.store, 11)).toEqual({ granted: false, retryAfterMs: null });
  expect(await rateRows()).toEqual([]);
  await take(db.store, 9);
  const before = await rateRows();
  expect(await take(other, 2)).toMatchObject({ granted: false, retryAfterMs: expect.any(Number) });
  expect(await rateRows()).toEqual(before);
});

test("a key that is held takes no place, in whatever owner's rate there is room; another owner's equal key does", async () => {
  await createOne(db.store, { idempotencyKey: "held" });
  await take(db.store, 9);
  const idempotencyKeys = ["held", "new"];
  expect(await take(other, 0, { idempotencyKeys })).toEqual({ granted: true });
  expect(await take(other, 0, { idempotencyKeys })).toMatchObject({ granted: false });
  expect(await take(other, 0, { idempotencyKeys: ["held"] })).toEqual({ granted: true });
  const one = { count: 1, perMs };
  expect(await take(other, 0, { ownerId: "bob", idempotencyKeys, limit: one })).toEqual({
    granted: false,
    retryAfterMs: null,
  });
});

test("within no span is more granted than the limit, whenever it is asked for, and what is free again is granted", async () => {
  const grants: { amount: number; afterMs: number; beforeMs: number }[] = [];
  for (let step = 0; step < 40; step += 1) {
    await shiftClock(db.sql, `${step * 7} seconds`);
    const amount = 1 + (step % 4);
    const afterMs = await nowMs();
    const { granted } = await take(step % 2 === 0 ? db.store : other, amount);
    if (granted) grants.push({ amount, afterMs, beforeMs: await nowMs() });
  }
  for (const last of grants) {
    const inSpan = grants.filter(({ afterMs }) => afterMs <= last.afterMs && last.beforeMs - afterMs < perMs);
    expect(inSpan.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(limit.count);
  }
  // 280 s hold four spans and more, and of each at most one slice in sixty is lost.
  expect(grants.reduce((sum, { amount }) => sum + amount, 0)).toBeGreaterThanOrEqual(4 * (limit.count - 3));
});

test("what was granted late in a slice of time counts until it is a whole span old, and not as old as its slice", async () => {
  const minuteMs = 60_000;
  const tenHours = { limit: { count: 1, perMs: 600 * minuteMs } };
  // Its slices are ten minutes, counted from 1970 on: this is the ninth of one.
  const alignedMs = 9 * minuteMs - ((await nowMs()) % (10 * minuteMs));
  await shiftClock(db.sql, `${alignedMs} milliseconds`);
  expect(await take(db.store, 1, tenHours)).toEqual({ granted: true });
  await shiftClock(db.sql, `${alignedMs + 595 * minuteMs} milliseconds`);
  expect(await take(other, 1, tenHours)).toMatchObject({ granted: false });
  await shiftClock(db.sql, `${alignedMs + 602 * minuteMs} milliseconds`);
  expect(await take(other, 1, tenHours)).toEqual({ granted: true });
});

test("after the time that a refusal names there is room, and within it none", async () => {
  await take(db.store, 4);
  await shiftClock(db.sql, "30 seconds");
  await take(db.store, 6);
  const refused = await take(other, 4);
  if (refused.granted || refused.retryAfterMs === null) throw new Error("It was to be refused for a while.");
  expect(refused.retryAfterMs).toBeLessThanOrEqual(31_000);
  await shiftClock(db.sql, "58 seconds");
  expect(await take(db.store, 4)).toMatchObject({ granted: false });
  await shiftClock(db.sql, `${30_000 + refused.retryAfterMs} milliseconds`);
  expect(await take(db.store, 5)).toMatchObject({ granted: false });
  expect(await take(db.store, 4)).toEqual({ granted: true });
});

test("the process's clock makes no room: only the database's does", async () => {
  await take(db.store, 10);
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2199-01-01T00:00:00Z") });
  try {
    expect(await take(db.store)).toMatchObject({ granted: false });
  } finally {
    vi.useRealTimers();
  }
  await shiftClock(db.sql, "62 seconds");
  expect(await take(db.store)).toEqual({ granted: true });
});

test("a clock that was put back stops an owner for one span, and no longer", async () => {
  await shiftClock(db.sql, "1 hour");
  await take(db.store, 10);
  await shiftClock(db.sql, "0");
  expect(await take(db.store)).toMatchObject({ granted: false });
  await shiftClock(db.sql, "62 seconds");
  expect(await take(db.store)).toEqual({ granted: true });
});

test("a store that was closed and opened anew goes on where it was", async () => {
  const first = await openStore({ url: db.url, poolSize: 2 });
  await take(first, 9);
  await first.close();
  const second = await openStore({ url: db.url, poolSize: 2 });
  expect(await grantedOf([take(second), take(second)])).toEqual([true, false]);
  await second.close();
});

test("a row holds no more slices than fit into a span", async () => {
  for (let step = 0; step < 150; step += 1) {
    await shiftClock(db.sql, `${step} seconds`);
    await take(db.store, 1, { limit: { count: 1_000, perMs } });
  }
  const [row] = await db.sql<{ slices: number }[]>`select cardinality(slice_ends) as slices from creation_rates`;
  expect(row?.slices).toBeLessThanOrEqual(61);
  expect(row?.slices).toBeGreaterThan(50);
});
