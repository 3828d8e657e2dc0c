/** Pages of jobs and attempts: in both directions they pass by every row once, in order, also where many share one instant. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type JobFilter, maxCounted, type PageRequest, type Position } from "../../src/store/pages.ts";
import { claimOne, createCommand, createOne, failureOf, loseOne, reportOf, termsOf } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

interface Row extends Position {
  readonly owner: string;
  readonly state: string;
}

let db: TestStore;
/** Of ann and bob in turn, in the order of (instant, id): seven instants, each shared by several. */
let all: Row[];
beforeAll(async () => {
  db = await openTestStore();
  const owners = Array.from({ length: 24 }, (_, index) => (index % 3 === 2 ? "bob" : "ann"));
  await Promise.all(
    owners.map((ownerId, index) =>
      db.store.createJob(
        createCommand({
          ownerId,
          terms: termsOf(index % 2 === 0 ? "inkjet" : "laser"),
          idempotencyKey: `key-${index}`,
        }),
      ),
    ),
  );
  await db.store.failAttempt(failureOf(await claimOne(db.store, ["inkjet"])));
  await loseOne(db.store, await claimOne(db.store, ["inkjet"]));
  await db.store.completeAttempt({ ...reportOf(await claimOne(db.store, ["laser"])), result: 1 });
  // Instants that many rows share, which only a look past the triggers can make.
  await db.sql.begin(async (session) => {
    await session`set local session_replication_role = replica`;
    await session`update jobs set created_at = timestamptz '2026-01-01' + (abs(hashtext(idempotency_key)) % 7) * interval '1 ms'`;
    await session`update attempts a set state_changed_at = j.created_at from jobs j where j.id = a.job_id`;
  });
  const rows = await db.sql<{ id: string; at: Date; owner: string; state: string }[]>`
    select id, created_at as at, owner_id as owner, state from jobs order by created_at, id`;
  all = [...rows];
});
afterAll(() => db.close());

const request = (changes: Partial<PageRequest> = {}): PageRequest => ({
  limit: 5,
  fromEnd: false,
  after: null,
  before: null,
  ascending: true,
  ...changes,
});

/** Ids of all pages, walked from the front by `after` or from the back by `before`, and the flags on the way. */
async function walk(filter: JobFilter, ascending: boolean, fromEnd: boolean, limit: number) {
  const [ids, more, back]: [string[], boolean[], boolean[]] = [[], [], []];
  let edge: Position | null = null;
  for (;;) {
    const page: Awaited<ReturnType<typeof db.store.read.jobPage>> = await db.store.read.jobPage(
      filter,
      request({ limit, fromEnd, ascending, [fromEnd ? "before" : "after"]: edge }),
    );
    const pageIds = page.rows.map((job) => job.id);
    if (fromEnd) ids.unshift(...pageIds);
    else ids.push(...pageIds);
    more.push(fromEnd ? page.hasPreviousPage : page.hasNextPage);
    back.push(fromEnd ? page.hasNextPage : page.hasPreviousPage);
    const last = fromEnd ? page.rows[0] : page.rows.at(-1);
    if (last === undefined || more.at(-1) === false) return { ids, more, back };
    edge = { at: last.createdAt, id: last.id };
  }
}

const idsOf = (rows: readonly Row[]) => rows.map((row) => row.id);

test("the rows of these tests do share instants", () => {
  expect(new Set(all.map((row) => row.at.getTime())).size).toBeLessThan(all.length / 2);
});

describe.each([
  ["oldest first", true],
  ["newest first", false],
])("%s", (_, ascending) => {
  const inOrder = () => (ascending ? all : all.toReversed());

  test.each([1, 2, 5, 23, 24, 100])("pages of %i from the front pass by every row once, in order", async (limit) => {
    const { ids, more, back } = await walk({}, ascending, false, limit);
    expect(ids).toEqual(idsOf(inOrder()));
    expect(more).toEqual([...Array.from({ length: more.length - 1 }, () => true), false]);
    expect(back).toEqual([false, ...Array.from({ length: back.length - 1 }, () => true)]);
  });

  test.each([1, 2, 5, 23, 24, 100])(
    "pages of %i from the back do as well, each page in the same order",
    async (limit) => {
      const { ids, more } = await walk({}, ascending, true, limit);
      expect(ids).toEqual(idsOf(inOrder()));
      expect(more).toEqual([...Array.from({ length: more.length - 1 }, () => true), false]);
    },
  );

  test("between two positions are the rows between them, without either", async () => {
    const rows = inOrder();
    const { rows: page } = await db.store.read.jobPage(
      {},
      request({ limit: 100, ascending, after: rows[3]!, before: rows[9]! }),
    );
    expect(page.map((job) => job.id)).toEqual(idsOf(rows.slice(4, 9)));
  });
});

test("beyond the last row there is an empty page, and no further one", async () => {
  const page = await db.store.read.jobPage({}, request({ after: all.at(-1)! }));
  expect(page).toEqual({ rows: [], hasNextPage: false, hasPreviousPage: true });
});

describe("filters", () => {
  const position = (index: number) => all[index]!.at;

  const filters: [string, () => JobFilter, (row: Row) => boolean][] = [
    ["an owner", () => ({ ownerId: "bob" }), (row) => row.owner === "bob"],
    ["states", () => ({ states: ["FAILED", "UNKNOWN"] }), (row) => ["FAILED", "UNKNOWN"].includes(row.state)],
    ["no state at all", () => ({ states: [] }), () => false],
    [
      "an owner and a state",
      () => ({ ownerId: "ann", states: ["QUEUED"] }),
      (row) => row.owner === "ann" && row.state === "QUEUED",
    ],
    ["an operation nobody has", () => ({ operation: "scan" }), () => false],
    ["a provider nobody has", () => ({ provider: "plotter" }), () => false],
    ["created after, exclusive", () => ({ createdAfter: position(10) }), (row) => row.at > position(10)],
    ["created before, exclusive", () => ({ createdBefore: position(10) }), (row) => row.at < position(10)],
  ];

  test.each(filters)("by %s, on pages and in the count", async (_, filter, keep) => {
    const expected = idsOf(all.filter(keep));
    expect((await walk(filter(), true, false, 3)).ids).toEqual(expected);
    expect(await db.store.read.jobCount(filter())).toBe(expected.length);
  });

  test("by key, which two owners may share", async () => {
    await createOne(db.store, { ownerId: "eve", idempotencyKey: "key-0" });
    expect(await db.store.read.jobCount({ idempotencyKey: "key-0" })).toBe(2);
    expect(await db.store.read.jobCount({ idempotencyKey: "key-0", ownerId: "eve" })).toBe(1);
    await db.sql.begin(async (session) => {
      await session`set local session_replication_role = replica`;
      await session`delete from attempts where job_id in (select id from jobs where owner_id = 'eve')`;
      await session`delete from jobs where owner_id = 'eve'`;
    });
  });
});

describe("attempts", () => {
  test("are paged by their last change, in both directions, with the filters of their own and their jobs'", async () => {
    const [rows, bobs] = [all.length, all.filter((row) => row.owner === "bob").length];
    const page = request({ limit: 100 });
    expect((await db.store.read.attemptPage({}, page)).rows).toHaveLength(rows);
    const byOwner = await db.store.read.attemptPage({ ownerId: "bob" }, page);
    expect(byOwner.rows).toHaveLength(bobs);
    expect(await db.store.read.attemptCount({ ownerId: "bob" })).toBe(bobs);
    const uncertain = await db.store.read.attemptPage({ effectUncertain: true }, page);
    expect(uncertain.rows.map((one) => one.state)).toEqual(["UNKNOWN"]);
    expect(await db.store.read.attemptCount({ states: ["QUEUED"], provider: "laser" })).toBe(11);
    expect(await db.store.read.attemptCount({ operation: "scan" })).toBe(0);
    expect(await db.store.read.attemptCount({ stateChangedBefore: all[0]!.at })).toBe(0);
    const front = await db.store.read.attemptPage({}, request({ limit: 7 }));
    const edge = front.rows.at(-1)!;
    const rest = await db.store.read.attemptPage(
      {},
      request({ limit: 100, after: { at: edge.stateChangedAt, id: edge.id } }),
    );
    expect([...front.rows, ...rest.rows]).toEqual((await db.store.read.attemptPage({}, page)).rows);
  });
});

test("counting stops where only that there are more is worth knowing", async () => {
  await db.sql.begin(async (session) => {
    await session`set local session_replication_role = replica`;
    await session`insert into jobs select (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid(), 'owner_id', 'many',
        'idempotency_key', n::text))).* from jobs j, generate_series(1, ${maxCounted}::int) n
      where j.id = ${all[0]!.id}`;
  });
  expect(await db.store.read.jobCount({ ownerId: "many" })).toBe(maxCounted);
  expect(await db.store.read.jobCount({})).toBeNull();
});
