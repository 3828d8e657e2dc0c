/** How progress reaches those who follow a job: at most once in a window and the newest, while changes of state go at once. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openClaimDesk } from "../../src/runtime/claim-desk.ts";
import { openFeed } from "../../src/runtime/feed.ts";
import type { JobSnapshot } from "../../src/runtime/ports.ts";
import type { Hint, Store } from "../../src/store/store.ts";
import { reportOf } from "../support/store-kit.ts";
import { openTestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";
import { claimOf, never, next, shop, withFeed } from "./follow-kit.ts";
import { claimUnder, createPrint, keepLog } from "./print-jobs.ts";

let opened: Awaited<ReturnType<typeof openTestStore>>;
let store: Store;
beforeAll(async () => {
  opened = await openTestStore();
  store = opened.store;
});
afterAll(() => opened.close());

const fractionOf = ({ attempts }: JobSnapshot) => attempts.at(-1)?.progress?.fraction ?? null;

async function running() {
  const catalog = shop();
  const jobId = await createPrint(store, catalog);
  const claim = await claimOf(store, catalog);
  const report = (fraction: number) => store.heartbeat({ ...reportOf(claim), progress: { fraction, message: null } });
  return { jobId, claim, report };
}

test("within the window progress alone is not read, and a change of state goes at once and carries the newest", async () => {
  const { jobId, claim, report } = await running();
  const reads: (readonly string[])[] = [];
  const counting: Store = {
    ...store,
    read: { ...store.read, jobs: (ids, scope) => (reads.push(ids), store.read.jobs(ids, scope)) },
  };
  const feed = openFeed({ store: counting, log: keepLog(), pollMs: never, progressMs: never });
  const jobs = feed.followJob(jobId);
  expect(fractionOf(await next(jobs))).toBeNull();
  for (let count = 1; count <= 20; count += 1) await report(count / 20);
  expect(reads).toHaveLength(1);
  await store.markRunning({ ...reportOf(claim), providerRequestId: null });
  const shown = await next(jobs);
  expect([shown.attempts[0]?.state, fractionOf(shown)]).toEqual(["RUNNING", 1]);
  expect(reads).toHaveLength(2);
  await feed.close();
});

test("the last report always arrives, nothing goes back, and of what was overtaken the newest alone is shown", async () => {
  const { jobId, report } = await running();
  const feed = openFeed({ store, log: keepLog(), pollMs: never, progressMs: 40 });
  const jobs = feed.followJob(jobId);
  const seen: JobSnapshot[] = [await next(jobs)];
  const reporting = (async () => {
    for (let count = 1; count <= 60; count += 1) await report(count / 60);
  })();
  while (fractionOf(seen.at(-1) as JobSnapshot) !== 1) seen.push(await next(jobs));
  await reporting;
  const places = seen.map(({ job, attempts }) => [job.eventCount, attempts.at(-1)?.progress?.updatedAt.getTime() ?? 0]);
  expect(places).toEqual(places.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d));
  const fractions = seen.map(fractionOf);
  expect(new Set(fractions).size).toBe(seen.length);
  await feed.close();
});

test("a job's window is its own: progress of others is shown meanwhile", async () => {
  const [mine, other] = [await running(), await running()];
  const feed = openFeed({ store, log: keepLog(), pollMs: never, progressMs: never });
  const jobs = feed.followJob(mine.jobId);
  await next(jobs);
  await mine.report(0.5);
  const watched = feed.followJobs({ ownerId: "ann" });
  // Nobody has read this one yet.
  await other.report(0.25);
  expect(await next(watched)).toMatchObject({
    snapshot: { job: { id: other.jobId }, attempts: [{ progress: { fraction: 0.25 } }] },
  });
  await feed.close();
});

test("progress that another process wrote is seen without a poll", async () => {
  const { jobId, report } = await running();
  await withFeed(await opened.openAnother(), async (feed) => {
    const jobs = feed.followJob(jobId);
    await next(jobs);
    for (const fraction of [0.1, 0.2]) {
      await report(fraction);
      expect(fractionOf(await next(jobs))).toBe(fraction);
    }
  });
});

test("progress whose hint was lost is found by the poll", async () => {
  const deaf: Store = { ...store, onHint: () => () => {} };
  const { jobId, report } = await running();
  await withFeed(
    deaf,
    async (feed) => {
      const jobs = feed.followJob(jobId);
      expect(fractionOf(await next(jobs))).toBeNull();
      await report(0.4);
      expect(fractionOf(await next(jobs))).toBe(0.4);
    },
    20,
  );
});

test("a hint says that it is of progress alone, in this process and in others", async () => {
  const { jobId, report } = await running();
  const other = await opened.openAnother();
  const [here, there]: [Hint[], Hint[]] = [[], []];
  const stops = [store.onHint((hint) => here.push(hint)), other.onHint((hint) => there.push(hint))];
  await report(0.5);
  const hint = { jobIds: [jobId], queued: false, isProgress: true };
  expect(here).toEqual([hint]);
  await waitUntil("the other has heard", () => there.length > 0);
  expect(there).toEqual([hint]);
  for (const stop of stops) stop();
});

test("progress makes nobody claim who waits for a place at a limited provider", async () => {
  const { report, claim } = await running();
  let claims = 0;
  const counting: Store = { ...store, claimAttempts: (command) => ((claims += 1), store.claimAttempts(command)) };
  const desk = openClaimDesk({ store: counting, log: keepLog(), pollMs: never });
  const limits = [{ provider: "laser", maxRunning: 1, pace: null }];
  const command = claimUnder(shop(), { providers: ["laser"], operations: null, limits });
  const waiting = desk.claim(command, never);
  await waitUntil("it waits", () => desk.waitingCount() === 1);
  const before = claims;
  for (const fraction of [0.1, 0.2, 0.3]) await report(fraction);
  await store.markRunning({ ...reportOf(claim), providerRequestId: null });
  await waitUntil("a change of state has woken it", () => claims > before);
  expect(claims).toBe(before + 1);
  await desk.stop();
  expect(await waiting).toEqual([]);
});
