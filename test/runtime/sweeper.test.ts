/** The sweeper against PostgreSQL: overdue attempts become UNKNOWN, all of them, whatever a batch holds. */
import { expect, test } from "vitest";
import { externalProvider } from "../../src/providers/provider.ts";
import { startSweeper } from "../../src/runtime/sweeper.ts";
import { openTestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";
import { catalogOf } from "./print-catalog.ts";
import { claimUnder, createPrint, keepLog } from "./print-jobs.ts";

test("every attempt past its deadline or lease becomes UNKNOWN, in as many batches as it takes, and queued ones stay", async () => {
  const { store, close } = await openTestStore();
  const catalog = catalogOf([externalProvider({ name: "inkjet", revision: "1" })], {
    attemptTimeoutMs: 40,
    leaseMs: 60_000,
  });
  const jobIds = await Promise.all(Array.from({ length: 25 }, () => createPrint(store, catalog)));
  expect(await store.claimAttempts(claimUnder(catalog, { limit: 24 }))).toHaveLength(24);
  const sweeper = startSweeper({ store, log: keepLog(), intervalMs: 20, batch: 10 });
  await waitUntil("they are UNKNOWN", async () => {
    const states = (await store.read.jobs(jobIds, null)).map((job) => job.state);
    return states.filter((state) => state === "UNKNOWN").length === 24;
  });
  const attempts = await store.read.attemptsOfJobs(jobIds);
  expect(attempts.filter((attempt) => attempt.state === "QUEUED")).toHaveLength(1);
  await sweeper.stop();
  await close();
});
