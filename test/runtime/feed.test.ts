/** The live feed against PostgreSQL: the present first, then every change, and nothing left behind. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFeed } from "../../src/runtime/feed.ts";
import type { Store } from "../../src/store/store.ts";
import { cancelAttemptCommand, failureOf, reportOf } from "../support/store-kit.ts";
import { openTestStore } from "../support/test-store.ts";
import { claimOf, never, next, numbersOf, shop, take, upTo, withFeed } from "./follow-kit.ts";
import { createPrint, keepLog } from "./print-jobs.ts";

let opened: Awaited<ReturnType<typeof openTestStore>>;
let store: Store;

beforeAll(async () => {
  opened = await openTestStore();
  store = opened.store;
});

afterAll(async () => {
  await opened.close();
});

test("a followed job comes as it is, then at every change and progress, and ends after its closed state", async () => {
  await withFeed(store, async (feed) => {
    const catalog = shop();
    const jobs = feed.followJob(await createPrint(store, catalog));
    expect((await next(jobs)).job).toMatchObject({ state: "QUEUED", eventCount: 2 });
    const claim = await claimOf(store, catalog);
    expect(await next(jobs)).toMatchObject({ job: { state: "RUNNING" }, attempts: [{ state: "STARTING" }] });
    await store.heartbeat({ ...reportOf(claim), progress: { fraction: 0.5, message: "page 1" } });
    expect((await next(jobs)).attempts[0]?.progress).toMatchObject({ fraction: 0.5, message: "page 1" });
    await store.completeAttempt({ ...reportOf(claim), result: { pages: 1 } });
    expect((await next(jobs)).job).toMatchObject({ state: "SUCCEEDED", result: { pages: 1 } });
    expect(await jobs.next()).toEqual({ value: undefined, done: true });
    expect(feed.followerCount()).toBe(0);
  });
});

test("events are replayed after the number and go on live past a closed state, each with a snapshot no older", async () => {
  await withFeed(store, async (feed) => {
    const catalog = shop();
    const jobId = await createPrint(store, catalog);
    const claim = await claimOf(store, catalog);
    const [all, rest] = [feed.followEvents(jobId, 0), feed.followEvents(jobId, 2)];
    expect(numbersOf(await take(all, 3))).toEqual([1, 2, 3]);
    expect(numbersOf(await take(rest, 1))).toEqual([3]);
    await store.failAttempt(failureOf(claim, { certain: false }));
    await store.cancelAttempt(cancelAttemptCommand(claim.attempt.id));
    await store.cancelJob({ jobId, scope: null, reason: null, actor: reportOf(claim).actor });
    await store.completeAttempt({ ...reportOf(claim), result: { pages: 1 } });
    const { length } = await store.read.events([{ jobId, number: 0 }], 100);
    const live = await take(all, length - 3);
    expect(numbersOf(live)).toEqual(upTo(length).slice(3));
    expect(live.at(-1)).toMatchObject({
      event: { type: "RESULT_DISCARDED" },
      snapshot: { job: { state: "CANCELLED" } },
    });
    for (const { event, snapshot } of live) expect(snapshot.job.eventCount).toBeGreaterThanOrEqual(event.number);
    expect(numbersOf(await take(rest, length - 3))).toEqual(numbersOf(live));
  });
});

test("attempts come each as it is, then each that changed, and end with the job's closed state", async () => {
  await withFeed(store, async (feed) => {
    const catalog = shop();
    const jobId = await createPrint(store, catalog);
    const attempts = feed.followAttempts(jobId);
    const state = async () => {
      const { attempt } = await next(attempts);
      return `${attempt.number} ${attempt.state}`;
    };
    expect(await state()).toBe("1 QUEUED");
    const first = await claimOf(store, catalog);
    expect(await state()).toBe("1 STARTING");
    const failure = { code: "JAM", message: "paper", remedy: "SAME_PROVIDER" } as const;
    await store.failAttempt(failureOf(first, { failure }));
    expect([await state(), await state()]).toEqual(["1 FAILED", "2 QUEUED"]);
    const second = await claimOf(store, catalog);
    await store.completeAttempt({ ...reportOf(second), result: { pages: 1 } });
    const rest: string[] = [];
    for await (const { attempt } of attempts) rest.push(`${attempt.number} ${attempt.state}`);
    expect(rest.at(-1)).toBe("2 SUCCEEDED");
  });
});

test("a change that another process made is seen without a poll", async () => {
  const other = await opened.openAnother();
  const catalog = shop();
  const jobId = await createPrint(store, catalog);
  await withFeed(other, async (feed) => {
    const jobs = feed.followJob(jobId);
    expect((await next(jobs)).job.state).toBe("QUEUED");
    await claimOf(store, catalog);
    expect((await next(jobs)).job.state).toBe("RUNNING");
  });
});

test("a lost hint is made good by the poll", async () => {
  const deaf: Store = { ...store, onHint: () => () => {} };
  const catalog = shop();
  const jobId = await createPrint(store, catalog);
  await withFeed(
    deaf,
    async (feed) => {
      const [jobs, events] = [feed.followJob(jobId), feed.followEvents(jobId, 0)];
      expect((await next(jobs)).job.state).toBe("QUEUED");
      expect(numbersOf(await take(events, 2))).toEqual([1, 2]);
      await claimOf(store, catalog);
      expect((await next(jobs)).job.state).toBe("RUNNING");
      expect(numbersOf(await take(events, 1))).toEqual([3]);
    },
    20,
  );
});

test("return() frees a follower at once, also while it waits, and the others of the job go on", async () => {
  await withFeed(store, async (feed) => {
    const catalog = shop();
    const jobId = await createPrint(store, catalog);
    const [leaving, staying] = [feed.followEvents(jobId, 2), feed.followEvents(jobId, 2)];
    const waiting = leaving.next();
    expect(feed.followerCount()).toBe(2);
    await leaving.return?.();
    expect(await waiting).toEqual({ value: undefined, done: true });
    expect(feed.followerCount()).toBe(1);
    await claimOf(store, catalog);
    expect(numbersOf(await take(staying, 1))).toEqual([3]);
  });
});

test("closing the feed ends every follower without an error, and so does following afterwards", async () => {
  const jobId = await createPrint(store, shop());
  const feed = openFeed({ store, log: keepLog(), pollMs: never });
  const waiting = [feed.followEvents(jobId, 9).next(), feed.followAttempts(jobId).next(), feed.followJob(jobId).next()];
  await feed.close();
  for (const { done } of await Promise.all(waiting)) expect(done).toBe(true);
  expect((await feed.followJob(jobId).next()).done).toBe(true);
  expect(feed.followerCount()).toBe(0);
});

test("following a job that does not exist ends at once", async () => {
  await withFeed(store, async (feed) => {
    expect((await feed.followJob("00000000-0000-7000-8000-000000000000").next()).done).toBe(true);
    expect(feed.followerCount()).toBe(0);
  });
});
