/** The states of attempts, their progress and their failures, each field and value by a test of its own name. */
import { afterAll, beforeAll, expect } from "vitest";
import type { EventView } from "../../support/api-answers.ts";
import { claimedJob, newJob, type Reached } from "../../support/api-reach.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { instant, look, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const promise = promisesOf("AttemptState", "Progress", "Failure", "Remedy");
const of = <Value = unknown>({ attemptId }: Pick<Reached, "attemptId">, selection: string) =>
  look<Value>(world.ann, attemptId, selection);

/** Its provider will not do it, and the fallback is not certified. */
async function refusedJob(): Promise<string> {
  const { jobId, held } = await world.fresh("RUNNING");
  await held?.fail("DEFINITE", { remedy: "OTHER_PROVIDER" });
  return jobId;
}

for (const state of ["QUEUED", "RUNNING", "UNKNOWN", "SUCCEEDED", "FAILED"] as const) {
  promise(`AttemptState.${state}`, `is the state of the attempt at a ${state} job`, async () => {
    expect(await of(await world.in(state), "state")).toBe(state);
  });
}

promise("AttemptState.STARTING", "is a claimed attempt's, before the provider has taken the request", async () => {
  const { held } = await claimedJob(world, "steady");
  expect(await of({ attemptId: held.attempt.id }, "state")).toBe("STARTING");
  await held.running();
  expect(await of({ attemptId: held.attempt.id }, "state")).toBe("RUNNING");
});

promise("AttemptState.CANCELLED", "is a withdrawn attempt's; a result that still arrives is discarded", async () => {
  const running = await world.fresh("RUNNING");
  await world.operator.cancelAttempt(running.attemptId);
  expect(await of(running, "state job { state }")).toEqual({ state: "CANCELLED", job: { state: "FAILED" } });
  expect(await running.held?.complete({ pages: 1 })).toMatchObject({ __typename: "ResultDiscarded" });
});

async function progressAfter(progress: object): Promise<Record<string, unknown>> {
  const { attemptId, held } = await world.fresh("RUNNING");
  await held?.beat({ ...progress });
  return look(world.ann, attemptId, "progress { fraction message updatedAt }");
}

promise("Progress.fraction", "is 0 to 1, null while the total is not known", async () => {
  expect(await progressAfter({ fraction: 0.125 })).toMatchObject({ fraction: 0.125 });
  expect(await progressAfter({ message: "Page 3" })).toMatchObject({ fraction: null });
});

promise("Progress.message", "is the worker's, null without one", async () => {
  expect(await progressAfter({ message: "Page 3" })).toMatchObject({ message: "Page 3" });
  expect(await progressAfter({ fraction: 1 })).toMatchObject({ message: null });
});

promise("Progress.updatedAt", "goes up with each report", async () => {
  const { attemptId, held } = await world.fresh("RUNNING");
  const reported = async (fraction: number) => {
    await held?.beat({ fraction });
    return look<{ updatedAt: string }>(world.ann, attemptId, "progress { updatedAt }");
  };
  const first = await reported(0.1);
  expect(first.updatedAt).toMatch(instant);
  expect((await reported(0.2)).updatedAt > first.updatedAt).toBe(true);
});

const failed = async () => (await world.in("FAILED")).jobId;

promise("Failure.code", "is the code that the worker gave", async () => {
  expect(await look(world.ann, await failed(), "failure { code }")).toEqual({ code: "JAMMED" });
});

promise("Failure.message", "is the message that the worker gave", async () => {
  expect(await look(world.ann, await failed(), "failure { message }")).toEqual({ message: "Paper jam." });
});

promise("Failure.remedy", "is the remedy that the worker gave", async () => {
  expect(await look(world.ann, await refusedJob(), "failure { remedy }")).toEqual({ remedy: "OTHER_PROVIDER" });
});

promise("Remedy.NONE", "ends the job: no attempt follows", async () => {
  expect(await look(world.ann, await failed(), "state failure { remedy }")).toEqual({
    state: "FAILED",
    failure: { remedy: "NONE" },
  });
});

promise("Remedy.OTHER_PROVIDER", "has the next provider considered at once", async () => {
  const events = await look<EventView[]>(world.ann, await refusedJob(), "events { type detail }");
  expect(events.find((event) => event.type === "FAILOVER_REFUSED")?.detail).toMatchObject({ provider: "laser" });
});

promise("Remedy.SAME_PROVIDER", "has another attempt made there later", async () => {
  const { id } = await newJob(world, "patient");
  await (await world.worker.take(id)).fail("DEFINITE", { remedy: "SAME_PROVIDER" });
  expect(await look(world.ann, id, "state latestAttempt { number providerName }")).toEqual({
    state: "QUEUED",
    latestAttempt: { number: 2, providerName: "inkjet" },
  });
});
