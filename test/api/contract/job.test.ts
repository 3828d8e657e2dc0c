/** The fields of Job and the values of JobState, each by a test of its own name. How jobs get into these states is not their matter. */
import { afterAll, beforeAll, expect } from "vitest";
import type { JobView } from "../../support/api-answers.ts";
import type { Fields } from "../../support/api-client.ts";
import { jobStates } from "../../support/api-reach.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { instant, intent, look, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const promise = promisesOf("Job without attempts, events", "JobState");
const of = <Value = unknown>(jobId: string, selection: string) => look<Value>(world.ann, jobId, selection);
const idIn = async (state: (typeof jobStates)[number]) => (await world.in(state)).jobId;
const made = async (more: Fields = {}): Promise<JobView> => (await world.ann.create(intent(more))).job!;

promise("Job.id", "is the job's TypeID, by which node finds it", async () => {
  const jobId = await idIn("QUEUED");
  expect(jobId).toMatch(/^job_[0-7][0-9a-z]{25}$/);
  expect(await of(jobId, "id")).toBe(jobId);
});

promise("Job.ownerId", "is the subject of the token that recorded it", async () => {
  expect(await of(await idIn("QUEUED"), "ownerId")).toBe("ann");
  const { job } = await world.as("bob").create(intent());
  expect(await look(world.operator, job!.id, "ownerId")).toBe("bob");
});

promise("Job.idempotencyKey", "is the key as it was given", async () => {
  expect(await of((await made({ idempotencyKey: " Größe/7 " })).id, "idempotencyKey")).toBe(" Größe/7 ");
});

promise("Job.operationName", "is the operation of the intent, dropped or not", async () => {
  expect(await of(await idIn("QUEUED"), "operationName")).toBe("steady");
  expect(await of((await world.dropped()).jobId, "operationName")).toBe("fax");
});

promise("Job.operationVersion", "is the operation's version when the job was recorded", async () => {
  expect(await of(await idIn("QUEUED"), "operationVersion")).toBe(1);
  expect(await of((await made({ operation: "poster" })).id, "operationVersion")).toBe(7);
});

promise("Job.operation", "is the configured one, and null once it was dropped", async () => {
  expect(await of(await idIn("QUEUED"), "operation { id }")).toEqual({ id: "op_steady" });
  expect(await of((await world.dropped()).jobId, "operation { id }")).toBeNull();
});

promise("Job.providerName", "is the one that the intent names, also while another carries it out", async () => {
  const { jobId, attemptId } = await world.fresh("FAILED");
  await world.operator.retry(jobId, attemptId, { provider: "laser", overrideGate: true, reason: "now" });
  expect(await of(jobId, "providerName latestAttempt { providerName }")).toEqual({
    providerName: "inkjet",
    latestAttempt: { providerName: "laser" },
  });
});

promise("Job.provider", "is the configured one, and null once it was dropped", async () => {
  expect(await of(await idIn("QUEUED"), "provider { id }")).toEqual({ id: "prov_inkjet" });
  expect(await of((await world.dropped()).jobId, "provider { id }")).toBeNull();
});

promise("Job.fallbackProviderNames", "are those that may take over, in order", async () => {
  const { id } = await made({ operation: "any", fallbackProviders: ["plotter", "laser"] });
  expect(await of(id, "fallbackProviderNames")).toEqual(["plotter", "laser"]);
});

promise("Job.input", "is what was given, and null once retention has removed it", async () => {
  expect(await of((await made({ input: { text: "Ü", copies: 3 } })).id, "input")).toEqual({ text: "Ü", copies: 3 });
  expect(await of((await world.purged()).jobId, "input")).toBeNull();
});

promise("Job.metadata", "is what was given, null where nothing was", async () => {
  expect(await of((await made({ metadata: { table: [4] } })).id, "metadata")).toEqual({ table: [4] });
  expect(await of((await made()).id, "metadata")).toBeNull();
});

promise("Job.state", "follows the attempts", async () => {
  for (const state of jobStates) expect(await of(await idIn(state), "state")).toBe(state);
});

for (const state of jobStates) {
  promise(`JobState.${state}`, "is what such a job shows, and what jobs can be filtered by", async () => {
    const id = await idIn(state);
    const { jobs } = await world.ann.ask<{ jobs: { nodes: { id: string; state: string }[] } }>(
      `{ jobs(filter: { states: [${state}] }, first: 100) { nodes { id state } } }`,
    );
    expect(jobs.nodes).toContainEqual({ id, state });
    expect(new Set(jobs.nodes.map((job) => job.state))).toEqual(new Set([state]));
  });
}

promise("Job.version", "is 1 at first, and goes up with the end of each attempt, not with claims", async () => {
  expect(await of(await idIn("QUEUED"), "version")).toBe(1);
  expect(await of(await idIn("RUNNING"), "version")).toBe(1);
  expect(await of(await idIn("UNKNOWN"), "version")).toBe(1);
  for (const state of ["FAILED", "SUCCEEDED", "CANCELLED"] as const)
    expect(await of(await idIn(state), "version")).toBe(2);
});

promise("Job.lastEventNumber", "is the number of the newest event", async () => {
  const job = await of<JobView & { events: { number: number }[] }>(
    await idIn("SUCCEEDED"),
    "lastEventNumber events(last: 1) { number }",
  );
  expect(job.lastEventNumber).toBeGreaterThan(2);
  expect(job.events).toEqual([{ number: job.lastEventNumber }]);
});

promise("Job.result", "is the winner's, and null before there is one", async () => {
  expect(await of(await idIn("SUCCEEDED"), "result")).toEqual({ pages: 1 });
  expect(await of(await idIn("RUNNING"), "result")).toBeNull();
});

promise("Job.failure", "is that of the last attempt while the job is FAILED, and null else", async () => {
  const failure = { code: "JAMMED", message: "Paper jam.", remedy: "NONE" };
  const { jobId, attemptId } = await world.fresh("FAILED");
  expect(await of(jobId, "failure { code message remedy }")).toEqual(failure);
  await world.ann.retry(jobId, attemptId);
  expect(await of(jobId, "failure { code }")).toBeNull();
});

promise("Job.progress", "is that of the live attempt, and null without one", async () => {
  const { jobId, held } = await world.fresh("RUNNING");
  await held?.beat({ fraction: 0.25, message: "Page 1" });
  expect(await of(jobId, "progress { fraction message }")).toEqual({ fraction: 0.25, message: "Page 1" });
  await held?.complete({ pages: 1 });
  expect(await of(jobId, "progress { fraction }")).toBeNull();
});

promise("Job.winner", "is the attempt that holds the result slot, and null while it is empty", async () => {
  const { jobId, attemptId } = await world.in("SUCCEEDED");
  expect(await of(jobId, "winner { id }")).toEqual({ id: attemptId });
  expect(await of(await idIn("FAILED"), "winner { id }")).toBeNull();
});

promise("Job.latestAttempt", "is the newest, live or not", async () => {
  const { jobId, attemptId } = await world.fresh("FAILED");
  expect(await of(jobId, "latestAttempt { id }")).toEqual({ id: attemptId });
  const { attempt } = await world.ann.retry(jobId, attemptId);
  expect(await of(jobId, "latestAttempt { id number }")).toEqual({ id: attempt?.id, number: 2 });
});

promise("Job.liveAttempt", "is the one under way, UNKNOWN included, and null without one", async () => {
  for (const state of ["QUEUED", "RUNNING", "UNKNOWN"] as const) {
    const { jobId, attemptId } = await world.in(state);
    expect(await of(jobId, "liveAttempt { id }"), state).toEqual({ id: attemptId });
  }
  for (const state of ["SUCCEEDED", "FAILED", "CANCELLED"] as const)
    expect(await of(await idIn(state), "liveAttempt { id }"), state).toBeNull();
});

promise("Job.viewerCanRetry", "is whether retryJob would start an attempt for this caller", async () => {
  const { jobId, attemptId } = await world.fresh("FAILED");
  expect(await of(jobId, "viewerCanRetry")).toBe(true);
  expect(await world.ann.retry(jobId, attemptId)).toMatchObject({ __typename: "RetryJobSuccess" });
  expect(await of(jobId, "viewerCanRetry")).toBe(false);
  for (const state of ["RUNNING", "UNKNOWN", "SUCCEEDED", "CANCELLED"] as const)
    expect(await of(await idIn(state), "viewerCanRetry"), state).toBe(false);
});

promise("Job.viewerCanCancel", "is whether cancelJob would withdraw it", async () => {
  for (const state of ["QUEUED", "RUNNING", "UNKNOWN", "FAILED"] as const)
    expect(await of(await idIn(state), "viewerCanCancel"), state).toBe(true);
  for (const state of ["SUCCEEDED", "CANCELLED"] as const)
    expect(await of(await idIn(state), "viewerCanCancel"), state).toBe(false);
});

promise("Job.createdAt", "is the moment of the first event, and stays", async () => {
  const job = await of<{ createdAt: string; events: { at: string }[] }>(
    await idIn("SUCCEEDED"),
    "createdAt events(first: 1) { at }",
  );
  expect(job.createdAt).toMatch(instant);
  expect(job.events).toEqual([{ at: job.createdAt }]);
});

promise("Job.updatedAt", "is the moment of the newest event", async () => {
  for (const state of ["QUEUED", "RUNNING", "SUCCEEDED"] as const) {
    const job = await of<{ updatedAt: string; events: unknown }>(await idIn(state), "updatedAt events(last: 1) { at }");
    expect(job.updatedAt).toMatch(instant);
    expect(job.events, state).toEqual([{ at: job.updatedAt }]);
  }
});

promise("Job.closedAt", "is the moment of the final state, and null before, FAILED included", async () => {
  for (const state of ["SUCCEEDED", "CANCELLED"] as const) {
    const job = await of<{ closedAt: string; events: unknown }>(await idIn(state), "closedAt events(last: 1) { at }");
    expect(job.closedAt).toMatch(instant);
    expect(job.events).toEqual([{ at: job.closedAt }]);
  }
  for (const state of ["RUNNING", "FAILED"] as const) expect(await of(await idIn(state), "closedAt")).toBeNull();
});

promise("Job.purgedAt", "is when retention stripped it, and null for the others", async () => {
  expect(await of((await world.purged()).jobId, "purgedAt")).toMatch(instant);
  expect(await of(await idIn("SUCCEEDED"), "purgedAt")).toBeNull();
});
