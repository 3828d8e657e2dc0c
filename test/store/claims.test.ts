/** Which waiting attempts a claim gets: in what order, how many, of which providers and operations, and when. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ClaimAttempts } from "../../src/store/worker-commands.ts";
import { emptyTables } from "../support/empty-tables.ts";
import { shiftClock } from "../support/shift-clock.ts";
import { cancelAttemptCommand, createOne, termsOf } from "../support/store-kit.ts";
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

describe("the order", () => {
  test("the oldest first", async () => {
    const ids = await createInTurn(5);
    expect(await claimedJobs({ limit: 2 })).toEqual(ids.slice(0, 2));
    expect(await claimedJobs()).toEqual(ids.slice(2));
  });

  test("higher priorities before lower ones, whatever their age", async () => {
    const [low, normal] = [await createOne(db.store, { priority: -100 }), await createOne(db.store)];
    const [high, highToo] = [
      await createOne(db.store, { priority: 100 }),
      await createOne(db.store, { priority: 100 }),
    ];
    expect(await claimedJobs()).toEqual([high, highToo, normal, low]);
  });

  test("what was due first goes first, though it was created later", async () => {
    await shiftClock(db.sql, "-1 hour");
    const notBefore = new Date((await dbNow()) + 60_000);
    const later = await createOne(db.store, { notBefore });
    const sooner = await createOne(db.store);
    await shiftClock(db.sql, "0");
    expect(await claimedJobs()).toEqual([sooner, later]);
  });

  test("of several providers, the one that was served the longest ago, however the claim lists them", async () => {
    const ofInkjet = await createInTurn(3);
    const ofLaser = await createInTurn(2, { terms: termsOf("laser"), priority: 5 });
    const first = await claimedJobs({ limit: 1, providers: ["inkjet"] });
    expect(first).toEqual(ofInkjet.slice(0, 1));
    expect(await claimedJobs({ limit: 1 })).toEqual(ofLaser.slice(0, 1));
    expect(await claimedJobs({ limit: 1, providers: ["laser", "inkjet"] })).toEqual(ofInkjet.slice(1, 2));
    expect(await claimedJobs({ limit: 1 })).toEqual(ofLaser.slice(1));
    expect(await claimedJobs({ limit: 1 })).toEqual(ofInkjet.slice(2));
  });
});

async function dbNow(): Promise<number> {
  const [row] = await db.sql<{ now: Date }[]>`select onejob_now() as now`;
  return row!.now.getTime();
}

describe("not before its time", () => {
  test("an attempt is not claimed before its job's notBefore, by the database's clock, and then it is", async () => {
    const jobId = await createOne(db.store, { notBefore: new Date((await dbNow()) + 3_600_000) });
    expect(await claimedJobs()).toEqual([]);
    await shiftClock(db.sql, "59 minutes");
    expect(await claimedJobs()).toEqual([]);
    await shiftClock(db.sql, "61 minutes");
    expect(await claimedJobs()).toEqual([jobId]);
  });

  test("a notBefore in the past is now", async () => {
    const jobId = await createOne(db.store, { notBefore: new Date(0) });
    expect(await claimedJobs()).toEqual([jobId]);
  });
});

describe("the choice", () => {
  test("of the named providers alone", async () => {
    const [inkjet, laser] = [await createOne(db.store), await createOne(db.store, { terms: termsOf("laser") })];
    expect(await claimedJobs({ providers: ["plotter"] })).toEqual([]);
    expect(await claimedJobs({ providers: [] })).toEqual([]);
    expect(await claimedJobs({ providers: ["laser"] })).toEqual([laser]);
    expect(await claimedJobs()).toEqual([inkjet]);
  });

  test("of the named operations alone, or of all", async () => {
    const [print, scan] = [await createOne(db.store), await createOne(db.store, { operation: "scan" })];
    expect(await claimedJobs({ operations: ["fold"] })).toEqual([]);
    expect(await claimedJobs({ operations: [] })).toEqual([]);
    expect(await claimedJobs({ operations: ["scan"] })).toEqual([scan]);
    expect(await claimedJobs()).toEqual([print]);
  });

  test("a paused provider is not claimed for, until it goes on", async () => {
    const [inkjet, laser] = [await createOne(db.store), await createOne(db.store, { terms: termsOf("laser") })];
    await db.sql`insert into provider_settings (provider, paused_at, paused_by, pause_reason) values ('inkjet', onejob_now(), 'olga', 'no ink')`;
    expect(await claimedJobs()).toEqual([laser]);
    await db.sql`update provider_settings set paused_at = null, paused_by = null, pause_reason = null`;
    expect(await claimedJobs()).toEqual([inkjet]);
  });

  test("no more than the limit, over all providers together", async () => {
    await createInTurn(3);
    await createInTurn(3, { terms: termsOf("laser") });
    expect(await claimedJobs({ limit: 4 })).toHaveLength(4);
    expect(await claimedJobs({ limit: 4 })).toHaveLength(2);
  });

  test("an attempt is claimed once, however many ask at once", async () => {
    const ids = await createInTurn(10);
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimedJobs({ limit: 1 })));
    const rest = await claimedJobs();
    expect([...claims.flat(), ...rest].toSorted()).toEqual(ids.toSorted());
  });

  test("what was cancelled while it waited is not claimed", async () => {
    const jobId = await createOne(db.store);
    const [job] = await db.store.read.jobs([jobId], null);
    await db.store.cancelAttempt(cancelAttemptCommand(job!.latestAttempt));
    expect(await claimedJobs()).toEqual([]);
  });
});
