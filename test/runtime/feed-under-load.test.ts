/** The live feed under load and trouble: without gap or repeat, of one moment, and at no more cost than one reader. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LiveFeed, openFeed } from "../../src/runtime/feed.ts";
import { eventPage } from "../../src/runtime/follower.ts";
import type { EventDelivery, JobSnapshot } from "../../src/runtime/ports.ts";
import type { Store } from "../../src/store/store.ts";
import { reportOf } from "../support/store-kit.ts";
import { openTestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";
import { claimOf, never, next, numbersOf, shop, take, upTo, withFeed } from "./follow-kit.ts";
import { claimUnder, createPrint, keepLog } from "./print-jobs.ts";

let opened: Awaited<ReturnType<typeof openTestStore>>;
let store: Store;

beforeAll(async () => {
  opened = await openTestStore();
  store = opened.store;
});

afterAll(async () => {
  await opened.close();
});

test("a hundred followers of one job cost no more reads than one", async () => {
  const reads: string[] = [];
  const { read } = store;
  const counting: Store = {
    ...store,
    read: {
      ...read,
      jobs: (ids, scope) => (reads.push("jobs"), read.jobs(ids, scope)),
      attemptsOfJobs: (ids) => (reads.push("attempts"), read.attemptsOfJobs(ids)),
      events: (after, limit) => (reads.push("events"), read.events(after, limit)),
    },
  };
  const catalog = shop();
  const jobId = await createPrint(store, catalog);
  await withFeed(counting, async (feed) => {
    const followers = Array.from({ length: 100 }, () => feed.followEvents(jobId, 0));
    await Promise.all(followers.map((follower) => take(follower, 2)));
    reads.length = 0;
    const claiming = claimOf(store, catalog);
    const deliveries = await Promise.all(followers.map((follower) => take(follower, 1)));
    await claiming;
    expect(new Set(numbersOf(deliveries.flat()))).toEqual(new Set([3]));
    expect(reads).toEqual(["events", "jobs", "attempts"]);
  });
});

test("a log longer than any buffer is replayed whole, at whatever pace it is read", async () => {
  const catalog = shop();
  const jobId = await createPrint(store, catalog);
  const total = eventPage * 5 + 7;
  await opened.sql.begin(async (session) => {
    await session`update jobs set event_count = ${total} where id = ${jobId}`;
    await session`
      insert into job_events (job_id, number, type, job_state, cause, at)
      select ${jobId}, number, 'FAILOVER_REFUSED', 'QUEUED', 'POLICY', clock_timestamp() from generate_series(3, ${total}::int) number`;
  });
  await withFeed(store, async (feed) => {
    const [slow, live] = [feed.followEvents(jobId, 0), feed.followEvents(jobId, total)];
    const first = await take(slow, 1);
    await claimOf(store, catalog);
    // The live one is not kept waiting by the one that does not read.
    expect(numbersOf(await take(live, 1))).toEqual([total + 1]);
    const rest = await take(slow, total);
    expect(numbersOf([...first, ...rest])).toEqual(upTo(total + 1));
  });
});

test("followers outlive a database that is away, and need no hint to go on", async () => {
  const catalog = shop();
  const jobId = await createPrint(store, catalog);
  const log = keepLog();
  const feed = openFeed({ store, log, pollMs: never });
  const events = feed.followEvents(jobId, 0);
  await take(events, 2);
  await opened.sql`alter table job_events rename to job_events_away`;
  const replay = take(feed.followEvents(jobId, 0), 2);
  await waitUntil("a read has failed", () => log.has("feed-read-failed"));
  await opened.sql`alter table job_events_away rename to job_events`;
  expect(numbersOf(await replay)).toEqual([1, 2]);
  await claimOf(store, catalog);
  expect(numbersOf(await take(events, 1))).toEqual([3]);
  await feed.close();
});

/** The store, with something done between the feed's reading of a job and of its attempts. */
function interrupted(act: () => Promise<void>): Store {
  const { read } = store;
  return {
    ...store,
    read: {
      ...read,
      async attemptsOfJobs(jobIds) {
        await act();
        return await read.attemptsOfJobs(jobIds);
      },
    },
  };
}

test("a snapshot is of one moment, also when a commit falls into its reading", async () => {
  const catalog = shop();
  const jobId = await createPrint(store, catalog);
  let claims = 0;
  const over = interrupted(async () => {
    claims += 1;
    if (claims === 1) await claimOf(store, catalog);
  });
  await withFeed(over, async (feed) => {
    const { job, attempts } = await next(feed.followJob(jobId));
    expect([job.state, attempts[0]?.state]).toEqual(["RUNNING", "STARTING"]);
  });
});

test("whoever comes while the job is being read is not shown a picture older than their coming", async () => {
  const catalog = shop();
  const jobId = await createPrint(store, catalog);
  const claim = await claimOf(store, catalog);
  const late: AsyncIterator<JobSnapshot>[] = [];
  const feeds: LiveFeed[] = [];
  const over = interrupted(async () => {
    if (late.length > 0 || feeds[0] === undefined) return;
    // STARTING and RUNNING show as the same state of the job: the picture read before this is of one moment, but old.
    await store.markRunning({ ...reportOf(claim), providerRequestId: null });
    late.push(feeds[0].followJob(jobId));
  });
  await withFeed(over, async (feed) => {
    feeds.push(feed);
    expect((await next(feed.followJob(jobId))).job.eventCount).toBe(3);
    const [comer] = late;
    if (comer === undefined) throw new Error("Nobody came.");
    expect((await next(comer)).job.eventCount).toBe(4);
  });
});

test("under many writers every follower gets every event once, in order, and snapshots never go back", async () => {
  const catalog = shop();
  await withFeed(store, async (feed) => {
    const jobIds = await Promise.all(Array.from({ length: 30 }, () => createPrint(store, catalog)));
    const logs = jobIds.map(async (jobId) => {
      const deliveries: EventDelivery[] = [];
      for await (const delivery of feed.followEvents(jobId, 0)) {
        deliveries.push(delivery);
        if (delivery.event.type === "JOB_SUCCEEDED") break;
      }
      return numbersOf(deliveries);
    });
    const pictures = jobIds.map(async (jobId) => {
      const snapshots: JobSnapshot[] = [];
      for await (const snapshot of feed.followJob(jobId)) snapshots.push(snapshot);
      return snapshots;
    });
    const claims = await store.claimAttempts(claimUnder(catalog, { limit: 30 }));
    await Promise.all(
      claims.map(async (claim) => {
        await store.markRunning({ ...reportOf(claim), providerRequestId: "r" });
        for (const fraction of [0.3, 0.6])
          await store.heartbeat({ ...reportOf(claim), progress: { fraction, message: null } });
        await store.completeAttempt({ ...reportOf(claim), result: { pages: 1 } });
      }),
    );
    for (const numbers of await Promise.all(logs)) expect(numbers).toEqual(upTo(6));
    for (const snapshots of await Promise.all(pictures)) {
      const counts = snapshots.map(({ job }) => job.eventCount);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      for (const { job, attempts } of snapshots) {
        expect(attempts.at(-1)?.state === "SUCCEEDED").toBe(job.state === "SUCCEEDED");
        expect(attempts.at(-1)?.state === "QUEUED").toBe(job.state === "QUEUED");
      }
      expect(snapshots.at(-1)).toMatchObject({ job: { state: "SUCCEEDED" }, attempts: [{ state: "SUCCEEDED" }] });
    }
    expect(feed.followerCount()).toBe(0);
  });
});
