/** A provider's limits as the running parts live with them: what must wait is taken as soon as there is room, without a poll. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { limitsOf } from "../../src/domain/provider-limits.ts";
import { defineProvider, externalProvider } from "../../src/providers/provider.ts";
import { openClaimDesk } from "../../src/runtime/claim-desk.ts";
import { startRuntime } from "../../src/runtime/runtime.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { reportOf } from "../support/store-kit.ts";
import { openTestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";
import { catalogOf } from "./print-catalog.ts";
import { claimUnder, createPrint, keepLog, reach } from "./print-jobs.ts";

let opened: Awaited<ReturnType<typeof openTestStore>>;
let other: Store;
/** Longer than any test: what is found was not found by the poll. */
const never = 3_600_000;

beforeAll(async () => {
  opened = await openTestStore();
  other = await openStore({ url: opened.url });
});
afterAll(async () => {
  await other.close();
  await opened.close();
});

test("two servers carry out no more attempts at a time than maxRunning, and all of them in the end", async () => {
  let running = 0;
  let most = 0;
  const narrow = defineProvider({
    name: "narrow",
    revision: "1",
    concurrency: 4,
    maxRunning: 2,
    async run() {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { kind: "succeeded", result: { pages: 1 } };
    },
  });
  const catalog = catalogOf([narrow]);
  const jobIds = await Promise.all(Array.from({ length: 12 }, () => createPrint(opened.store, catalog)));
  const options = { claimPollMs: never, sweepMs: never };
  const servers = [opened.store, other].map((store) => startRuntime({ store, catalog, log: keepLog(), options }));
  for (const jobId of jobIds) await reach(opened.store, jobId, "SUCCEEDED");
  await Promise.all(servers.map((server) => server.stop({ graceMs: 1_000 })));
  expect(most).toBe(2);
});

test("a worker that waits for room is given the next attempt when one ends on another server", async () => {
  const narrow = externalProvider({ name: "narrow", revision: "1", maxRunning: 1 });
  const catalog = catalogOf([narrow]);
  const [first, second] = [await createPrint(opened.store, catalog), await createPrint(opened.store, catalog)];
  const limits = limitsOf([narrow]);
  const desk = openClaimDesk({ store: opened.store, log: keepLog(), pollMs: never });
  const [running] = await desk.claim(claimUnder(catalog, { limits }), 0);
  expect(running?.attempt.jobId).toBe(first);
  const waiting = desk.claim(claimUnder(catalog, { limits }), 60_000);
  await waitUntil("it waits", () => desk.waitingCount() === 1);
  await other.completeAttempt({ ...reportOf(running!), result: { pages: 1 } });
  expect((await waiting).map((claim) => claim.attempt.jobId)).toEqual([second]);
  await desk.stop();
});
