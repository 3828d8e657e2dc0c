/** What a provider hears when an attempt on it is cancelled: the truth, once, and never in place of the cancellation. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { LookupCall, Provider, ProviderCall } from "../../src/domain/operation.ts";
import { defineProvider } from "../../src/providers/provider.ts";
import { type Runtime, startRuntime } from "../../src/runtime/runtime.ts";
import { encodeId } from "../../src/store/ids.ts";
import { cancelAttemptCommand } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";
import { catalogOf } from "./print-catalog.ts";
import { createPrint, keepLog, reachAcknowledged, readJob } from "./print-jobs.ts";

let db: TestStore;
let runtime: Runtime;
const log = keepLog();

beforeAll(async () => {
  db = await openTestStore();
});
afterEach(() => runtime.stop({ graceMs: 0 }));
afterAll(() => db.close());

/** Acknowledges and then waits for the abort, as a provider does that is told to stop. */
async function printUntilAborted(call: ProviderCall) {
  await call.acknowledge("request-1");
  await new Promise((resolve) => call.signal.addEventListener("abort", resolve, { once: true }));
  const failure = { code: "STOPPED", message: "Told to stop.", remedy: "NONE" } as const;
  return { kind: "failed", failure } as const;
}

function start(provider: Provider) {
  const catalog = catalogOf([provider]);
  runtime = startRuntime({ store: db.store, catalog, log });
  return catalog;
}

test("a cancellation aborts the call and asks the provider's cancel with what the provider knows the attempt by", async () => {
  const asked: LookupCall[] = [];
  const cancel = async (call: LookupCall) => void asked.push(call);
  const catalog = start(defineProvider({ name: "inkjet", revision: "1", run: printUntilAborted, cancel }));
  const jobId = await createPrint(db.store, catalog);
  const attempt = await reachAcknowledged(db.store, jobId);
  await db.store.cancelAttempt(cancelAttemptCommand(attempt.id));
  runtime.cancelAtProvider(attempt.id);
  await waitUntil("the provider is asked", () => asked.length > 0);
  expect(asked).toMatchObject([
    { jobId: encodeId("job", jobId), attemptId: encodeId("att", attempt.id), providerRequestId: "request-1" },
  ]);
  await waitUntil("the call was given up", () => log.has("attempt-given-up"));
  expect(await readJob(db.store, jobId)).toMatchObject({ state: "FAILED", failure: { code: "ATTEMPT_CANCELLED" } });
});

test("a provider that refuses to cancel changes nothing about the cancellation, and is logged", async () => {
  const cancel = () => Promise.reject(new Error("No such request."));
  const catalog = start(defineProvider({ name: "inkjet", revision: "1", run: printUntilAborted, cancel }));
  const jobId = await createPrint(db.store, catalog);
  const attempt = await reachAcknowledged(db.store, jobId);
  await db.store.cancelAttempt(cancelAttemptCommand(attempt.id));
  runtime.cancelAtProvider(attempt.id);
  await waitUntil("the refusal is logged", () => log.has("cancel-at-provider-failed"));
  expect(await readJob(db.store, jobId)).toMatchObject({ state: "FAILED" });
});
