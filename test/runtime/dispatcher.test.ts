/** The dispatcher against PostgreSQL: what becomes of attempts that in-process providers carry out. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Operation, Provider, ProviderCall } from "../../src/domain/operation.ts";
import { defineProvider } from "../../src/providers/provider.ts";
import { type ScriptStep, scriptedProvider } from "../../src/providers/scripted.ts";
import { type Runtime, startRuntime } from "../../src/runtime/runtime.ts";
import { decodeId } from "../../src/store/ids.ts";
import type { Store } from "../../src/store/store.ts";
import { cancelAttemptCommand } from "../support/store-kit.ts";
import { openTestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";
import { catalogOf } from "./print-catalog.ts";
import { createPrint, keepLog, reach, readJob } from "./print-jobs.ts";

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

function start(providers: readonly Provider[], operation: Partial<Operation> = {}, progressMs = 100) {
  const catalog = catalogOf(providers, operation);
  runtime = startRuntime({ store, catalog, log, options: { sweepMs: 50, progressMs } });
  return catalog;
}

/** Longer than any test. */
const longMs = 3_600_000;
const inkjet = (...script: ScriptStep[]) => scriptedProvider({ name: "inkjet", script });
const laser = () => scriptedProvider({ name: "laser", script: [{ kind: "ok", result: printed }] });
const printed = { pages: 1 };

test("what a provider reports last is written, however soon it answers", async () => {
  const provider = defineProvider({
    name: "inkjet",
    revision: "1",
    async run({ reportProgress, attemptId }) {
      reportProgress({ fraction: 0.1, message: null });
      await waitUntil("the first is written", async () => {
        const [attempt] = await store.read.attempts([decodeId("att", attemptId) ?? ""], null);
        return attempt?.progress;
      });
      // Within the window that the first has begun.
      for (const fraction of [0.5, 1]) reportProgress({ fraction, message: null });
      return { kind: "succeeded", result: printed };
    },
  });
  const { attempts } = await reach(store, await createPrint(store, start([provider], {}, longMs)), "SUCCEEDED");
  expect(attempts[0]?.progress?.fraction).toBe(1);
});

test("an attempt that succeeds gives the job its result, with the provider's own id on record", async () => {
  const catalog = start([inkjet({ kind: "ok", result: printed })]);
  const { job, attempts } = await reach(store, await createPrint(store, catalog), "SUCCEEDED");
  expect(job.result).toEqual(printed);
  expect(attempts).toMatchObject([
    {
      state: "SUCCEEDED",
      claimedBy: expect.stringMatching(/^dispatcher-/),
      providerRequestId: expect.stringMatching(/^inkjet-att_/),
    },
  ]);
  const events = await store.read.events([{ jobId: job.id, number: 0 }], 50);
  expect(events.map((event) => event.type)).toEqual([
    "JOB_CREATED",
    "ATTEMPT_QUEUED",
    "ATTEMPT_STARTING",
    "ATTEMPT_RUNNING",
    "ATTEMPT_SUCCEEDED",
    "JOB_SUCCEEDED",
  ]);
});

test("a provider is called once per attempt, with one identity for all attempts of the job", async () => {
  const calls: ProviderCall[] = [];
  const counting = defineProvider({
    name: "inkjet",
    revision: "1",
    async run(call) {
      calls.push(call);
      const failure = { code: "JAM", message: "paper", remedy: "SAME_PROVIDER" } as const;
      return calls.length < 3 ? { kind: "failed", failure } : { kind: "succeeded", result: printed };
    },
  });
  const jobId = await createPrint(store, start([counting]), {
    traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01`,
  });
  const { attempts } = await reach(store, jobId, "SUCCEEDED");
  expect(attempts.map((attempt) => attempt.state)).toEqual(["FAILED", "FAILED", "SUCCEEDED"]);
  expect(calls.map((call) => decodeId("att", call.attemptId))).toEqual(attempts.map((attempt) => attempt.id));
  expect(calls.map((call) => call.attemptNumber)).toEqual([1, 2, 3]);
  expect(new Set(calls.map((call) => call.idempotencyKey))).toEqual(new Set([`${calls[0]?.jobId}:inkjet`]));
  expect(decodeId("job", calls[0]?.jobId ?? "")).toBe(jobId);
  expect(calls[0]?.input).toEqual({ text: "hello" });
  expect(calls[0]?.traceparent).toMatch(/^00-1/);
});

test("a result that does not conform fails for certain, with an uncertain effect", async () => {
  const catalog = start([inkjet({ kind: "ok", result: "not a print" })]);
  const { job, attempts } = await reach(store, await createPrint(store, catalog), "FAILED");
  expect(job.failure).toMatchObject({ code: "NONCONFORMING_RESULT", remedy: "NONE" });
  expect(attempts).toMatchObject([{ state: "FAILED", effectUncertain: true }]);
});

test.each([
  ["a result that cannot be stored", { kind: "ok", result: { pages: 1, text: "a\0" } }, "UNSTORABLE_RESULT"],
  ["a provider that throws", { kind: "crash", message: "boom\0" }, "PROVIDER_CRASHED"],
  ["a provider that does not know", { kind: "unknown" }, "UNCLEAR"],
] as const)("%s leaves the attempt UNKNOWN, and nothing follows by itself", async (_, step, code) => {
  const catalog = start([inkjet(step), laser()]);
  const { attempts } = await reach(store, await createPrint(store, catalog), "UNKNOWN");
  expect(attempts).toMatchObject([{ state: "UNKNOWN", effectUncertain: true, failure: { code } }]);
});

test("the late success of an attempt that nobody cancelled still wins", async () => {
  const catalog = start([inkjet({ kind: "late", byMs: 300, result: printed })], { attemptTimeoutMs: 200 });
  const jobId = await createPrint(store, catalog);
  await reach(store, jobId, "UNKNOWN");
  const { job, attempts } = await reach(store, jobId, "SUCCEEDED");
  expect(job.completedBy).toBe(attempts[0]?.id);
});

test("the late success of a cancelled attempt is thrown away, and that is on record", async () => {
  const late = inkjet({ kind: "late", byMs: 600, result: { pages: 99 } });
  const catalog = start([late, laser()], { attemptTimeoutMs: 200 });
  const jobId = await createPrint(store, catalog);
  const { attempts } = await reach(store, jobId, "UNKNOWN");
  await store.cancelAttempt(cancelAttemptCommand(attempts[0]?.id ?? ""));
  await waitUntil("the discard is on record", async () => {
    const events = await store.read.events([{ jobId, number: 0 }], 50);
    return events.some((event) => event.type === "RESULT_DISCARDED");
  });
  expect(await readJob(store, jobId)).toMatchObject({ state: "FAILED", result: null, completedBy: null });
});

test("progress is coalesced: the newest is written, not every one, and none of it is an event", async () => {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const chatty = defineProvider({
    name: "inkjet",
    revision: "1",
    async run({ reportProgress, acknowledge }) {
      await acknowledge();
      for (let page = 1; page <= 1_000; page += 1)
        reportProgress({ fraction: page / 1_000, message: `page ${page}\0` });
      await finished;
      return { kind: "succeeded", result: printed };
    },
  });
  let hints = 0;
  store.onHint(() => {
    hints += 1;
  });
  const jobId = await createPrint(store, start([chatty]));
  const attempt = await waitUntil("the last page is on record", async () => {
    const [first] = await store.read.attemptsOfJobs([jobId]);
    return first?.progress?.fraction === 1 && first;
  });
  expect(attempt.progress?.message).toBe("page 1000\uFFFD");
  // Created, claimed, running, and at most two of progress.
  expect(hints).toBeLessThanOrEqual(5);
  expect((await readJob(store, jobId)).eventCount).toBe(4);
  finish();
  await reach(store, jobId, "SUCCEEDED");
});
