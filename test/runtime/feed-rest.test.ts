/** How often the live feed reads where changes come in a row: by the time that has passed, not by the changes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { monotonicMs } from "../../src/runtime/clock.ts";
import { openFeed } from "../../src/runtime/feed.ts";
import type { JobSnapshot } from "../../src/runtime/ports.ts";
import type { Store } from "../../src/store/store.ts";
import { reportOf } from "../support/store-kit.ts";
import { openTestStore } from "../support/test-store.ts";
import { claimOf, never, next, shop } from "./follow-kit.ts";
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

const changes = 60;
const isNewest = ({ attempts }: JobSnapshot) => attempts.at(-1)?.progress?.fraction === 1;

test("changes that come in a row are read together, and the newest is shown", async () => {
  let readings = 0;
  const { read } = store;
  const counting: Store = {
    ...store,
    read: { ...read, jobs: (ids, scope) => ((readings += 1), read.jobs(ids, scope)) },
  };
  const catalog = shop();
  const jobId = await createPrint(store, catalog);
  const claim = await claimOf(store, catalog);
  const restMs = 500;
  const feed = openFeed({ store: counting, log: keepLog(), pollMs: never, restMs });
  const follower = feed.followJob(jobId);
  await next(follower);
  readings = 0;
  const startMs = monotonicMs();
  for (let change = 1; change <= changes; change += 1) {
    await store.heartbeat({ ...reportOf(claim), progress: { fraction: change / changes, message: null } });
  }
  while (!isNewest(await next(follower)));
  expect(readings).toBeGreaterThan(0);
  // One for each rest that has passed, and one on either side: more only where a picture had to be read again.
  expect(readings).toBeLessThanOrEqual((monotonicMs() - startMs) / restMs + 2);
  await feed.close();
});
