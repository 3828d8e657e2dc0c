/** The dispatcher's places and times: leases, concurrency, a database that is away, and shutdown. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Operation, Provider, ProviderCall } from "../../src/domain/operation.ts";
import { defineProvider } from "../../src/providers/provider.ts";
import { type ScriptStep, scriptedProvider } from "../../src/providers/scripted.ts";
import { type Runtime, startRuntime } from "../../src/runtime/runtime.ts";
import type { Store } from "../../src/store/store.ts";
import { cancelAttemptCommand, createOne } from "../support/store-kit.ts";
import { openTestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";
import { catalogOf } from "./print-catalog.ts";
import { createPrint, keepLog, reach, reachAcknowledged, readJob } from "./print-jobs.ts";

let opened: Awaited<ReturnType<typeof openTestStore>>;
let store: Store;
let runtime: Runtime | null = null;
let log = keepLog();

beforeAll(async () => {
  opened = await openTestStore();
  store = opened.store;
});

afterAll(async () => {
  await opened.close();
});

beforeEach(() => {
  log = keepLog();
});

afterEach(async () => {
  await runtime?.stop({ graceMs: 0 });
  runtime = null;
});

function start(providers: readonly Provider[], operation: Partial<Operation> = {}) {
  const catalog = catalogOf(providers, operation);
  runtime = startRuntime({ store, catalog, log, options: { sweepMs: 50 } });
  return catalog;
}

const inkjet = (...script: ScriptStep[]) => scriptedProvider({ name: "inkjet", script });
const printed = { pages: 1 };
const longMs = 3_600_000;

test("a provider that hangs is UNKNOWN by the deadline and gives its place to the next attempt", async () => {
  const script = (call: ProviderCall): ScriptStep[] =>
    JSON.stringify(call.input).includes("hang") ? [{ kind: "hang" }] : [{ kind: "ok", result: printed }];
  const one = scriptedProvider({ name: "inkjet", concurrency: 1, script });
  const catalog = start([one], { attemptTimeoutMs: 300 });
  const hanging = await createPrint(store, catalog, { input: { text: "hang" } });
  await reachAcknowledged(store, hanging);
  const next = await createPrint(store, catalog);
  expect((await readJob(store, next)).state).toBe("QUEUED");
  const { attempts } = await reach(store, hanging, "UNKNOWN");
  expect(attempts[0]?.failure?.code).toBe("DEADLINE_EXCEEDED");
  await reach(store, next, "SUCCEEDED");
  const events = await store.read.events([{ jobId: hanging, number: 0 }], 50);
  expect(events.at(-1)).toMatchObject({ type: "ATTEMPT_UNKNOWN", cause: "DEADLINE" });
});

test("an attempt cancelled under way is noticed by its heartbeat, and the provider is asked to stop", async () => {
  const seen: string[] = [];
  const heeding = defineProvider({
    name: "inkjet",
    revision: "1",
    async run({ signal, acknowledge }) {
      await acknowledge("r1");
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      seen.push(String(signal.reason));
      throw new Error("stopped");
    },
  });
  const catalog = start([heeding], { leaseMs: 300 });
  const jobId = await createPrint(store, catalog);
  const attempt = await reachAcknowledged(store, jobId);
  await store.cancelAttempt(cancelAttemptCommand(attempt.id));
  await waitUntil("the provider was asked to stop", () => seen.length > 0);
  expect(seen[0]).toContain("closed");
  expect(await store.read.attemptsOfJobs([jobId])).toMatchObject([{ state: "CANCELLED" }]);
});

test("heartbeats keep an attempt alive far beyond its lease", async () => {
  const catalog = start([inkjet({ kind: "ok", afterMs: 1_500, result: printed })], { leaseMs: 300 });
  const { attempts } = await reach(store, await createPrint(store, catalog), "SUCCEEDED");
  expect(attempts[0]?.effectUncertain).toBe(false);
  expect(log.has("attempts-expired")).toBe(false);
});

test("a provider never has more attempts than its concurrency, and all of them are carried out", async () => {
  let underWay = 0;
  let most = 0;
  const measured = defineProvider({
    name: "inkjet",
    revision: "1",
    concurrency: 3,
    async run() {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setTimeout(resolve, 5));
      underWay -= 1;
      return { kind: "succeeded", result: printed };
    },
  });
  const catalog = start([measured]);
  const jobIds = await Promise.all(Array.from({ length: 60 }, () => createPrint(store, catalog)));
  await waitUntil("all have succeeded", async () =>
    (await store.read.jobs(jobIds, null)).every((job) => job.state === "SUCCEEDED"),
  );
  expect(most).toBe(3);
});

test("more attempts than one claim takes are claimed at once where there are places, without a poll", async () => {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let underWay = 0;
  const wide = defineProvider({
    name: "inkjet",
    revision: "1",
    concurrency: 130,
    async run() {
      underWay += 1;
      await finished;
      return { kind: "succeeded", result: printed };
    },
  });
  const catalog = catalogOf([wide]);
  const jobIds = await Promise.all(Array.from({ length: 120 }, () => createPrint(store, catalog)));
  runtime = startRuntime({ store, catalog, log, options: { claimPollMs: longMs } });
  await waitUntil("all are under way", () => underWay === 120);
  finish();
  await waitUntil("all have succeeded", async () =>
    (await store.read.jobs(jobIds, null)).every((job) => job.state === "SUCCEEDED"),
  );
  expect(underWay).toBe(120);
});

test("attempts of an operation that the configuration has dropped stay queued", async () => {
  const provider = inkjet({ kind: "ok", result: printed });
  const catalog = start([provider]);
  const dropped = await createOne(store, { operation: "scan" });
  await reach(store, await createPrint(store, catalog), "SUCCEEDED");
  expect((await readJob(store, dropped)).state).toBe("QUEUED");
});

test("a result is not lost where the database is away when it comes", async () => {
  const events: string[] = [];
  const provider = defineProvider({
    name: "inkjet",
    revision: "1",
    async run() {
      await opened.sql`alter table jobs rename to jobs_away`;
      events.push("away");
      return { kind: "succeeded", result: printed };
    },
  });
  const jobId = await createPrint(store, start([provider]));
  await waitUntil("a report has failed", () => log.has("report-failed"));
  await opened.sql`alter table jobs_away rename to jobs`;
  expect((await reach(store, jobId, "SUCCEEDED")).attempts).toHaveLength(1);
  expect(events).toEqual(["away"]);
});

test("a shutdown lets attempts end within its grace, and starts no other", async () => {
  const catalog = start([
    scriptedProvider({ name: "inkjet", concurrency: 1, script: [{ kind: "ok", afterMs: 300, result: printed }] }),
  ]);
  const first = await createPrint(store, catalog);
  await reach(store, first, "RUNNING");
  const second = await createPrint(store, catalog);
  await runtime?.stop({ graceMs: 10_000 });
  expect((await readJob(store, first)).state).toBe("SUCCEEDED");
  expect((await readJob(store, second)).state).toBe("QUEUED");
});

test("a shutdown reports what did not end within its grace as unclear, never as failed", async () => {
  const catalog = start([
    inkjet({ kind: "hang" }),
    scriptedProvider({ name: "laser", script: [{ kind: "ok", afterMs: 60_000 }] }),
  ]);
  const hanging = await createPrint(store, catalog);
  const heeding = await createPrint(store, catalog, { provider: "laser" });
  for (const jobId of [hanging, heeding]) await reachAcknowledged(store, jobId);
  await runtime?.stop({ graceMs: 50 });
  for (const jobId of [hanging, heeding]) {
    const [attempt] = await store.read.attemptsOfJobs([jobId]);
    expect(attempt).toMatchObject({ state: "UNKNOWN", failure: { code: "ABORTED" } });
  }
});
