/** Two dispatchers, as two server processes run them, on one attempt: the provider hears of it once (I10). What a claim does is in claim-against-claim. */
import { afterEach, expect, test } from "vitest";
import type { ProviderCall } from "../../src/domain/operation.ts";
import { defineProvider } from "../../src/providers/provider.ts";
import { type Runtime, startRuntime } from "../../src/runtime/runtime.ts";
import type { Store } from "../../src/store/store.ts";
import { catalogOf } from "../runtime/print-catalog.ts";
import { createPrint, keepLog, reach } from "../runtime/print-jobs.ts";
import { holdAttempt } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";

const race = openRace();
let runtimes: Runtime[] = [];
afterEach(async () => {
  await Promise.all(runtimes.map((one) => one.stop({ graceMs: 0 })));
  runtimes = [];
});

function countingPrinter() {
  const calls: ProviderCall[] = [];
  const provider = defineProvider({
    name: "inkjet",
    revision: "1",
    async run(call) {
      calls.push(call);
      return { kind: "succeeded", result: { pages: 1 } };
    },
  });
  return { calls, catalog: catalogOf([provider]) };
}

function dispatch(store: Store, catalog: ReturnType<typeof catalogOf>): void {
  runtimes.push(startRuntime({ store, catalog, log: keepLog() }));
}

test.each(["first", "second"])("while the %s one takes the attempt, the other passes by", async (which) => {
  const { calls, catalog } = countingPrinter();
  const jobId = await createPrint(race.store, catalog);
  const { latestAttempt } = await race.job(jobId);
  const held = await holdAttempt(race.sql, latestAttempt);
  const [ahead, behind] = which === "first" ? [race.store, race.other] : [race.other, race.store];
  await held.line(async () => dispatch(ahead, catalog));
  dispatch(behind, catalog);
  // The one behind is awake and finds other work while this attempt is being taken.
  await reach(race.store, await createPrint(race.store, catalog), "SUCCEEDED");
  await held.release();
  await reach(race.store, jobId, "SUCCEEDED");
  expect(calls).toHaveLength(2);
  expect(new Set(calls.map((call) => call.attemptId)).size).toBe(2);
});

test("of forty jobs under two dispatchers, each attempt reaches the provider once", async () => {
  const { calls, catalog } = countingPrinter();
  dispatch(race.store, catalog);
  dispatch(race.other, catalog);
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, index) => createPrint(index % 2 === 0 ? race.store : race.other, catalog)),
  );
  for (const jobId of ids) await reach(race.store, jobId, "SUCCEEDED");
  expect(calls).toHaveLength(40);
  expect(new Set(calls.map((call) => call.attemptId)).size).toBe(40);
});
