/** What the live feed reads again and again: the same as other reads give, and prepared once for any number of jobs. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { openStatementWire } from "../support/statement-wire.ts";
import { claimOne, createOne, owner, reportOf } from "../support/store-kit.ts";
import { openTestStore } from "../support/test-store.ts";

let opened: Awaited<ReturnType<typeof openTestStore>>;
let store: Store;
const jobIds: string[] = [];

beforeAll(async () => {
  opened = await openTestStore();
  store = opened.store;
  const metadata = { place: { table: 4, of: ["the", '"corner"'] } };
  for (const input of [{ text: "Menu" }, ["a", null, 1.5], "x"])
    jobIds.push(await createOne(store, { input, metadata }));
  const claim = await claimOne(store);
  await store.markRunning({ ...reportOf(claim), providerRequestId: "request-1" });
  await store.heartbeat({ ...reportOf(claim), progress: { fraction: 0.25, message: "a quarter" } });
});

afterAll(async () => {
  await opened.close();
});

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]) =>
  rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));

test("a job of whatever owner reads as it does for its own", async () => {
  const anybody = await store.read.jobs(jobIds, null);
  expect(anybody).toHaveLength(3);
  expect(byId(anybody)).toEqual(byId(await store.read.jobs(jobIds, owner.name)));
});

test("an attempt reads the same by its job as by its id", async () => {
  const ofJobs = await store.read.attemptsOfJobs(jobIds);
  expect(ofJobs.filter(({ progress }) => progress?.fraction === 0.25)).toHaveLength(1);
  expect(ofJobs).toHaveLength(3);
  const ids = ofJobs.map((attempt) => attempt.id);
  expect(byId(ofJobs)).toEqual(byId(await store.read.attempts(ids, owner.name)));
});

test("a reading of many jobs takes the very statements that a reading of one takes", async () => {
  const wire = await openStatementWire(opened.url);
  const wired = await openStore({ url: wire.url });
  const { read } = wired;
  const statementsFor = (ids: readonly string[]) =>
    wire.during(async () => {
      const events = await read.events(
        ids.map((jobId) => ({ jobId, number: 0 })),
        10,
        false,
      );
      expect(new Set(events.map((event) => event.jobId))).toEqual(new Set(ids));
      expect(await read.jobs(ids, null)).toHaveLength(ids.length);
      expect(await read.attemptsOfJobs(ids)).toHaveLength(ids.length);
      expect((await read.standings(ids)).size).toBe(ids.length);
    });
  const [first = ""] = jobIds;
  const ofOne = await statementsFor([first]);
  expect(ofOne).toHaveLength(4);
  expect(await statementsFor(jobIds)).toEqual(ofOne);
  await wired.close();
  await wire.close();
});
