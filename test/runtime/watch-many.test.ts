/** Following all jobs of an owner who has ten thousand live ones: what each change and each burst costs, and that nobody is left with an old picture. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LiveFeed, openFeed } from "../../src/runtime/feed.ts";
import type { JobsDelivery } from "../../src/runtime/ports.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { JobFilter } from "../../src/store/pages.ts";
import type { Store } from "../../src/store/store.ts";
import type { Claim } from "../../src/store/worker-commands.ts";
import { openStatementWire, type StatementWire } from "../support/statement-wire.ts";
import { cancelJobCommand, createOne, reportOf } from "../support/store-kit.ts";
import { openTestStore } from "../support/test-store.ts";
import { never, next } from "./follow-kit.ts";
import { keepLog } from "./print-jobs.ts";

const jobCount = 10_000;
const batchSize = 200;
/** For ten thousand changes on a busy machine. */
const patienceMs = 60_000;

let opened: Awaited<ReturnType<typeof openTestStore>>;
let wire: StatementWire;
let store: Store;
let feed: LiveFeed;
/** Ann's, in the order of their creation; each test takes those that it closes. */
const jobs: string[] = [];
const claims: Claim[] = [];
let bobs: string;

beforeAll(async () => {
  opened = await openTestStore();
  wire = await openStatementWire(opened.url);
  store = await openStore({ url: wire.url, listenUrl: opened.url, poolSize: 4 });
  feed = openFeed({ store, log: keepLog(), pollMs: never });
  bobs = await createOne(store, { ownerId: "bob" });
  jobs.push(...(await Promise.all(Array.from({ length: jobCount }, () => createOne(store)))));
});
afterAll(async () => {
  await feed.close();
  await store.close();
  await wire.close();
  await opened.close();
});

const cancelAll = (jobIds: readonly string[]) =>
  Promise.all(jobIds.map((jobId) => store.cancelJob(cancelJobCommand(jobId))));

/** What the feed reads with: the verbs' own statements begin otherwise, or read other things. */
const isRead = (statement: string) => /^select (.* from "jobs"|\* from (jobs|attempts) where)/.test(statement.trim());

/** The reads, and how often the feed was told of commits meanwhile: batches, however many jobs are in each. */
async function readsDuring(work: () => Promise<unknown>): Promise<{ reads: string[]; commits: number }> {
  let commits = 0;
  const stop = store.onHint(() => void (commits += 1));
  const reads = (await wire.during(work)).filter(isRead);
  stop();
  return { reads, commits };
}

/** Reads until the watcher has shown each of the jobs as cancelled; answers with how many deliveries it took. */
async function untilCancelled(watcher: AsyncIterator<JobsDelivery>, jobIds: readonly string[]): Promise<number> {
  const missing = new Set(jobIds);
  let deliveries = 0;
  while (missing.size > 0) {
    const delivery = await next(watcher);
    if (delivery.kind === "resync") throw new Error("It had to start over.");
    deliveries += 1;
    if (delivery.snapshot.job.state === "CANCELLED") missing.delete(delivery.snapshot.job.id);
  }
  return deliveries;
}

const follow = (filter: JobFilter = { ownerId: "ann" }) => feed.followJobs(filter);

const claimSome = (limit: number) => {
  const about = { workerId: "w", claimedBy: "worker-token", providers: ["inkjet"], operations: null, claimKey: null };
  return store.claimAttempts({ ...about, limit });
};

test("a burst that changes all ten thousand ends with the truth for a reader, and for one who did not read meanwhile", {
  timeout: patienceMs,
}, async () => {
  const [prompt, slow, byState] = [follow(), follow(), follow({ ownerId: "ann", states: ["QUEUED"] })];
  const states = new Map<string, string>();
  const read = async (watcher: AsyncIterator<JobsDelivery>, isEnough: () => boolean) => {
    states.clear();
    while (!isEnough()) {
      const delivery = await next(watcher);
      if (delivery.kind === "resync") throw new Error("It had to start over.");
      states.set(delivery.snapshot.job.id, delivery.snapshot.job.state);
    }
    expect([...states.keys()].toSorted()).toEqual(jobs.toSorted());
    expect(new Set(states.values())).toEqual(new Set(["RUNNING"]));
  };
  const isEnough = () => states.size === jobCount;
  const { reads, commits } = await readsDuring(async () => {
    const reading = read(prompt, isEnough);
    while (claims.length <= jobCount) claims.push(...(await claimSome(batchSize)));
    await reading;
  });
  // Of each batch whose the jobs are, what their logs have seen, the jobs, and their attempts; these twice where a commit fell between.
  expect(commits).toBeLessThanOrEqual(jobCount / batchSize + 1);
  expect(reads.length).toBeLessThanOrEqual(6 * commits);
  await read(slow, isEnough);
  await read(byState, isEnough);
  for (const watcher of [prompt, slow, byState]) await watcher.return?.();
});

test("a single change among ten thousand live jobs comes once, and one job is read", async () => {
  const watcher = follow();
  const claim = claims.at(-1) as Claim;
  for (const [fraction, cost] of [
    // Whose it is, the job, and its attempts.
    [0.5, 3],
    // Whose it is never changes.
    [0.6, 2],
  ] as const) {
    const { reads } = await readsDuring(async () => {
      await store.heartbeat({ ...reportOf(claim), progress: { fraction, message: null } });
      expect(await next(watcher)).toMatchObject({ snapshot: { attempts: [{ progress: { fraction } }] } });
    });
    expect(reads).toHaveLength(cost);
  }
  const [first] = jobs.splice(0, 1) as [string];
  await cancelAll([first]);
  expect(await untilCancelled(watcher, [first])).toBe(1);
  await watcher.return?.();
});

test("a burst costs the same reads for twenty watchers as for one, by its batches, and each change comes once", async () => {
  for (const count of [1, 20]) {
    const watchers = Array.from({ length: count }, () => follow());
    const changed = jobs.splice(0, 2_000);
    const { reads, commits } = await readsDuring(async () => {
      const all = watchers.map((watcher) => untilCancelled(watcher, changed));
      await cancelAll(changed);
      expect(await Promise.all(all)).toEqual(watchers.map(() => changed.length));
    });
    // Each batch by itself at most, if none came while another was read: whose they are, the jobs, and their attempts.
    expect(commits).toBeLessThanOrEqual(changed.length / 100);
    expect(reads.length).toBeLessThanOrEqual(3 * commits);
    for (const watcher of watchers) await watcher.return?.();
  }
});

test("a watcher of few jobs costs nothing when another owner's thousands change, whatever its filter", async () => {
  const filters: JobFilter[] = [{}, { states: ["FAILED"] }, { provider: "inkjet" }, { operation: "print" }];
  const watchers = filters.map((more) => follow({ ownerId: "bob", ...more }));
  const [all, , ofProvider, ofOperation] = watchers;
  const changed = jobs.splice(0, 1_000);
  const { reads, commits } = await readsDuring(async () => {
    await cancelAll(changed);
    await store.cancelJob(cancelJobCommand(bobs));
    for (const watcher of [all, ofProvider, ofOperation]) expect((await next(watcher!)).kind).toBe("changed");
  });
  // Whose the changed jobs are, batch by batch; of bob's job besides what its log has seen, the job, and its attempts.
  expect(reads.length).toBeLessThanOrEqual(commits + 3);
  expect(reads.filter((statement) => statement.includes("from attempts where job_id = any"))).toHaveLength(1);
  expect(reads.filter((statement) => statement.includes(' from "job_events"'))).toHaveLength(1);
  for (const watcher of watchers) await watcher.return?.();
});
