/** Following whole sets of jobs, against PostgreSQL: what matches comes at each change, leaves once, and a break says so. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobsDelivery } from "../../src/runtime/ports.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { openLossyWire } from "../support/lossy-wire.ts";
import { cancelAttemptCommand, cancelJobCommand, createOne, reportOf } from "../support/store-kit.ts";
import { openTestStore } from "../support/test-store.ts";
import { claimOf, next, shop, withFeed } from "./follow-kit.ts";
import { createPrint } from "./print-jobs.ts";

let opened: Awaited<ReturnType<typeof openTestStore>>;
let store: Store;
beforeAll(async () => {
  opened = await openTestStore();
  store = opened.store;
});
afterAll(() => opened.close());

/** Owners of a test's own: others' jobs do not concern it. */
let owners = 0;
function freshOwner(): string {
  owners += 1;
  return `owner-${owners}`;
}

function shown(delivery: JobsDelivery): string {
  return delivery.kind === "resync" ? "resync" : delivery.snapshot.job.state;
}

async function states(iterator: AsyncIterator<JobsDelivery>, count: number): Promise<string[]> {
  const seen: string[] = [];
  while (seen.length < count) seen.push(shown(await next(iterator)));
  return seen;
}

test("it begins with the next change, follows every job of the filter, and knows no end of a single one", async () => {
  await withFeed(store, async (feed) => {
    const ownerId = freshOwner();
    const catalog = shop();
    await createPrint(store, catalog, { ownerId });
    const jobs = feed.followJobs({ ownerId });
    const claim = await claimOf(store, catalog);
    expect(await next(jobs)).toMatchObject({
      snapshot: { job: { state: "RUNNING" }, attempts: [{ state: "STARTING" }] },
    });
    await store.heartbeat({ ...reportOf(claim), progress: { fraction: 0.5, message: null } });
    expect(await next(jobs)).toMatchObject({ snapshot: { attempts: [{ progress: { fraction: 0.5 } }] } });
    await store.completeAttempt({ ...reportOf(claim), result: { pages: 1 } });
    expect(await states(jobs, 1)).toEqual(["SUCCEEDED"]);
    await createPrint(store, catalog, { ownerId });
    expect(await states(jobs, 1)).toEqual(["QUEUED"]);
    await jobs.return?.();
  });
});

test("each condition of the filter holds, and jobs outside it never come", async () => {
  await withFeed(store, async (feed) => {
    const [ownerId, catalog] = [freshOwner(), shop()];
    const [operation] = catalog.operations.keys();
    const base = { ownerId, operation: operation! };
    const before = new Date("2001-01-01T00:00:00Z");
    const away = [
      { ...base, operation: "scan" },
      { ...base, provider: "laser" },
      { ...base, idempotencyKey: "other" },
    ];
    const outside = [
      { ...base, ownerId: freshOwner() },
      ...away,
      { ...base, createdBefore: before },
      { ...base, createdAfter: new Date("2999-01-01T00:00:00Z") },
    ].map((filter) => feed.followJobs(filter));
    const inside = feed.followJobs({ ...base, provider: "inkjet", idempotencyKey: "mine", createdAfter: before });
    const waiting = outside.map((iterator) => iterator.next());
    const jobId = await createPrint(store, catalog, { ownerId, idempotencyKey: "mine" });
    expect(await next(inside)).toMatchObject({ snapshot: { job: { id: jobId } } });
    await feed.close();
    for (const one of waiting) expect(await one).toEqual({ done: true, value: undefined });
  });
});

test("a job that stops matching is sent once more, and again only when it matches again", async () => {
  await withFeed(store, async (feed) => {
    const [ownerId, catalog] = [freshOwner(), shop()];
    const jobs = feed.followJobs({ ownerId, states: ["QUEUED", "SUCCEEDED"] });
    const jobId = await createPrint(store, catalog, { ownerId });
    expect(await states(jobs, 1)).toEqual(["QUEUED"]);
    const claim = await claimOf(store, catalog);
    expect(await states(jobs, 1)).toEqual(["RUNNING"]);
    await store.markRunning({ ...reportOf(claim), providerRequestId: null });
    await store.heartbeat({ ...reportOf(claim), progress: { fraction: 0.5, message: null } });
    await store.completeAttempt({ ...reportOf(claim), result: { pages: 1 } });
    expect(await next(jobs)).toMatchObject({ snapshot: { job: { id: jobId, state: "SUCCEEDED" } } });
    await jobs.return?.();
  });
});

test("a job that matched before the subscription and was never sent is sent when it stops matching", async () => {
  await withFeed(store, async (feed) => {
    const [ownerId, catalog] = [freshOwner(), shop()];
    await createPrint(store, catalog, { ownerId });
    const queued = feed.followJobs({ ownerId, states: ["QUEUED"] });
    const failed = feed.followJobs({ ownerId, states: ["FAILED"] });
    const never = failed.next();
    await claimOf(store, catalog);
    expect(await states(queued, 1)).toEqual(["RUNNING"]);
    await feed.close();
    expect(await never).toEqual({ done: true, value: undefined });
  });
});

test("a slow reader gets the newest of each job alone, and of more than are kept every one", async () => {
  await withFeed(store, async (feed) => {
    const [ownerId, catalog] = [freshOwner(), shop()];
    const jobs = feed.followJobs({ ownerId });
    const made = await Promise.all(Array.from({ length: 700 }, () => createPrint(store, catalog, { ownerId })));
    const last = await createOne(store, { ownerId: freshOwner() });
    // Once a job that was created later was shown, all those before it were.
    await next(feed.followJob(last));
    await Promise.all(made.map((jobId) => store.cancelJob(cancelJobCommand(jobId))));
    const newest = new Map<string, string>();
    let deliveries = 0;
    while (newest.size < made.length || [...newest.values()].some((state) => state !== "CANCELLED")) {
      const delivery = await next(jobs);
      deliveries += 1;
      if (delivery.kind === "changed") newest.set(delivery.snapshot.job.id, delivery.snapshot.job.state);
    }
    expect([...newest.keys()].toSorted()).toEqual(made.toSorted());
    expect(deliveries).toBeLessThan(2 * made.length);
    await jobs.return?.();
  });
});

test("after a break in the feed it ends by saying that changes may have gone unseen, before anything else", async () => {
  const other = await opened.openAnother();
  await withFeed(other, async (feed) => {
    const [ownerId, catalog] = [freshOwner(), shop()];
    const jobs = feed.followJobs({ ownerId });
    const alone = feed.followJob(await createPrint(store, catalog, { ownerId }));
    await next(alone);
    await next(jobs);
    const cut = await opened.sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'onejob listen%'`;
    expect(cut.length).toBeGreaterThan(0);
    const claim = await claimOf(store, catalog);
    await store.cancelAttempt(cancelAttemptCommand(claim.attempt.id));
    let last: JobsDelivery = await next(jobs);
    while (last.kind !== "resync") last = await next(jobs);
    expect(await jobs.next()).toEqual({ done: true, value: undefined });
    // Whoever follows a single job reads it anew instead, without waiting for the poll.
    let state = "";
    while (state !== "FAILED") ({ state } = (await next(alone)).job);
    await alone.return?.();
  });
});

test("a commit whose answer was lost is a break for the watchers of the very process that sent it", async () => {
  const wire = await openLossyWire(opened.url);
  const cut = await openStore({ url: wire.url, listenUrl: opened.url, poolSize: 1 });
  const ownerId = freshOwner();
  // On the one connection, the statement is prepared: it goes out whole, and is carried out before the answer is lost.
  await createOne(cut, { ownerId });
  await withFeed(cut, async (feed) => {
    const jobs = feed.followJobs({ ownerId });
    wire.lose(true);
    await expect(createOne(cut, { ownerId })).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    wire.lose(false);
    expect(await store.read.jobCount({ ownerId })).toBe(2);
    expect(await states(jobs, 1)).toEqual(["resync"]);
  });
  await cut.close();
  await wire.close();
});
