/** Looking an attempt up at its provider: what counts while a worker still has it, what comes too late, and how long is waited. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { LookupCall } from "../../src/domain/operation.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import { defineProvider, externalProvider } from "../../src/providers/provider.ts";
import { lookUpOf } from "../../src/runtime/look-up.ts";
import { loseOne, operator, reportOf } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";
import { catalogOf } from "./print-catalog.ts";
import { claimUnder, createPrint, keepLog, readJob } from "./print-jobs.ts";

let db: TestStore;
beforeAll(async () => {
  db = await openTestStore();
});
afterAll(() => db.close());

const failure = { code: "NEVER_HEARD", message: "No such request.", remedy: "SAME_PROVIDER" } as const;
const succeeded = { kind: "succeeded", result: { pages: 1 } } as const;

let asked: LookupCall[];
beforeEach(() => {
  asked = [];
});

/** A claimed job on a provider that answers so; nothing carries it out. */
async function claimedPrint(lookup: () => Promise<Outcome | null>) {
  const run = () => new Promise<Outcome>(() => {});
  const provider = defineProvider({
    name: "inkjet",
    revision: "1",
    run,
    lookup(call) {
      asked.push(call);
      return lookup();
    },
  });
  const catalog = catalogOf([provider]);
  const jobId = await createPrint(db.store, catalog);
  const [claim] = await db.store.claimAttempts(claimUnder(catalog));
  if (claim === undefined) throw new Error("Nothing was there to claim.");
  const lookUp = lookUpOf({ store: db.store, catalog, log: keepLog(), patienceMs: 50 });
  return { jobId, claim, attemptId: claim.attempt.id, ask: () => lookUp(claim.attempt.id, operator) };
}

test("while a worker has the attempt, a failure proves nothing, since the request may still be on its way", async () => {
  const { jobId, attemptId, ask } = await claimedPrint(async () => ({ kind: "failed", failure }));
  expect(await ask()).toEqual({ kind: "asked", jobId, attemptId });
  const [attempt] = await db.store.read.attempts([attemptId], null);
  expect(attempt).toMatchObject({ state: "STARTING", failure: null });
  expect(attempt?.lookedUpAt).not.toBeNull();
});

test("while a worker has the attempt, a result counts, and the worker's own is the same again", async () => {
  const { jobId, claim, ask } = await claimedPrint(async () => succeeded);
  expect(await ask()).toMatchObject({ kind: "asked" });
  expect(await readJob(db.store, jobId)).toMatchObject({ state: "SUCCEEDED", result: { pages: 1 } });
  const own = await db.store.completeAttempt({ ...reportOf(claim), result: { pages: 1 } });
  expect(own).toMatchObject({ kind: "completed", repeated: true });
});

test("what is learnt after the late answer has won is closed, and changes no result", async () => {
  const { jobId, claim, attemptId, ask } = await claimedPrint(async () => {
    await db.store.completeAttempt({ ...reportOf(claim), result: { pages: 2 } });
    return { kind: "failed", failure };
  });
  await loseOne(db.store, claim);
  expect(await ask()).toEqual({ kind: "closed", attemptId });
  expect(await readJob(db.store, jobId)).toMatchObject({ state: "SUCCEEDED", result: { pages: 2 } });
});

test("what cannot be told after the attempt has ended is closed as well, and marks nothing", async () => {
  const { claim, attemptId, ask } = await claimedPrint(async () => {
    await db.store.completeAttempt({ ...reportOf(claim), result: { pages: 2 } });
    return null;
  });
  expect(await ask()).toEqual({ kind: "closed", attemptId });
  expect(await db.store.read.attempts([attemptId], null)).toMatchObject([{ lookedUpAt: null }]);
});

test("a provider that does not answer in time is given up and told so", async () => {
  const { attemptId, ask } = await claimedPrint(() => new Promise(() => {}));
  expect(await ask()).toEqual({ kind: "unavailable", attemptId, why: "unreachable" });
  expect(asked.map((call) => call.signal.aborted)).toEqual([true]);
});

test("what is no outcome teaches nothing", async () => {
  const { claim, attemptId, ask } = await claimedPrint(async () => ({ kind: "maybe" }) as unknown as Outcome);
  await loseOne(db.store, claim);
  expect(await ask()).toMatchObject({ kind: "asked" });
  expect(await db.store.read.attempts([attemptId], null)).toMatchObject([{ state: "UNKNOWN" }]);
});

test("an attempt that waits, and a provider without look-up, are not asked about", async () => {
  const catalog = catalogOf([externalProvider({ name: "laser", revision: "1" })]);
  const lookUp = lookUpOf({ store: db.store, catalog, log: keepLog() });
  const { latestAttempt: attemptId } = await readJob(db.store, await createPrint(db.store, catalog));
  expect(await lookUp(attemptId, operator)).toEqual({ kind: "unavailable", attemptId, why: "not-started" });
  await db.store.claimAttempts(claimUnder(catalog));
  expect(await lookUp(attemptId, operator)).toEqual({ kind: "unavailable", attemptId, why: "no-look-up" });
});
