/** More changed jobs than can be looked at: what waits is bounded, lists end by saying so, and followers of single jobs go on. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { openTestStore } from "../support/test-store.ts";
import { claimOf, next, numbersOf, shop, take, withFeed } from "./follow-kit.ts";
import { createPrint } from "./print-jobs.ts";

let opened: Awaited<ReturnType<typeof openTestStore>>;
let store: Store;
beforeAll(async () => {
  opened = await openTestStore();
  store = opened.store;
});
afterAll(() => opened.close());

test("while a read is under way no more than ten thousand ids wait for lists: then they end with RESYNC", async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { read } = store;
  const asked: number[] = [];
  const slow: Store = {
    ...store,
    read: {
      ...read,
      async jobHeads(jobIds, withStates) {
        asked.push(jobIds.length);
        await held;
        return await read.jobHeads(jobIds, withStates);
      },
    },
  };
  const catalog = shop();
  const jobId = await createPrint(store, catalog);
  const last = randomUUID();
  const heard = new Promise<void>((resolve) => {
    store.onHint(({ jobIds }) => jobIds.includes(last) && resolve());
  });
  await withFeed(slow, async (feed) => {
    const [list, events] = [feed.followJobs({ ownerId: "ann" }), feed.followEvents(jobId, 0)];
    await opened.sql`
      select pg_notify('onejob_changed', 'stranger:' || (select string_agg(gen_random_uuid()::text, ',')
        from generate_series(1, 200) where n > 0)) from generate_series(1, 100) n`;
    await opened.sql`select pg_notify('onejob_changed', ${`stranger:${last}`})`;
    await heard;
    expect(await next(list)).toEqual({ kind: "resync" });
    release();
    expect(numbersOf(await take(events, 2))).toEqual([1, 2]);
    // Whoever asks anew is shown what changes, and nobody looks at what was made up any more.
    const again = feed.followJobs({ ownerId: "ann" });
    await claimOf(store, catalog);
    expect(await next(again)).toMatchObject({ snapshot: { job: { id: jobId, state: "RUNNING" } } });
    expect(asked.reduce((sum, count) => sum + count, 0)).toBeLessThan(11_000);
    await again.return?.();
  });
});
