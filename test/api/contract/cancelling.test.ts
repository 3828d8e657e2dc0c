/** cancelAttempt, cancelJob and cancelJobs: each field of their inputs and answers, by a test of its own name. */
import { afterAll, beforeAll, expect } from "vitest";
import type { Fields } from "../../support/api-client.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { intent, look, mutate, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const promise = promisesOf(
  ["Mutation.cancelAttempt", "CancelAttemptInput", "CancelAttemptResult", "CancelAttemptSuccess"],
  ["Mutation.cancelJob", "CancelJobInput", "CancelJobResult", "CancelJobSuccess"],
  ["Mutation.cancelJobs", "CancelJobsInput", "CancelJobsResult", "CancelJobsSuccess"],
);
const nobodysJob = "job_01h455vb4pex5vsknk084sn02q";
const nobodysAttempt = "att_01h455vb4pex5vsknk084sn02q";
const success = (name: string, fields: string) => `... on ${name}Success { ${fields} }`;

const cancel = (attemptId: string, more: Fields = {}, fields = "attempt { id state }") =>
  mutate(world.operator, "cancelAttempt", { attemptId, ...more }, success("CancelAttempt", fields));

promise("Mutation.cancelAttempt", "ends it, frees the job and fences the attempt off", async () => {
  const { jobId, attemptId, held } = await world.fresh("RUNNING");
  expect(await cancel(attemptId)).toMatchObject({ attempt: { state: "CANCELLED" } });
  expect(await held?.complete({ pages: 1 })).toMatchObject({ __typename: "ResultDiscarded" });
  expect(await look(world.ann, jobId, "viewerCanRetry")).toBe(true);
});

promise("CancelAttemptInput.attemptId", "is the attempt that ends", async () => {
  const { attemptId } = await world.fresh("RUNNING");
  expect(await cancel(attemptId)).toMatchObject({ attempt: { id: attemptId } });
});

promise("CancelAttemptInput.reason", "is kept in the job's events", async () => {
  const { jobId, attemptId } = await world.fresh("RUNNING");
  await cancel(attemptId, { reason: "on fire" });
  const events = await look<{ detail: unknown }[]>(world.ann, jobId, "events { type detail }");
  expect(events).toContainEqual({ type: "ATTEMPT_CANCELLED", detail: { reason: "on fire" } });
});

const attemptCancels: Readonly<Record<string, () => ReturnType<typeof cancel>>> = {
  CancelAttemptSuccess: async () => cancel((await world.fresh("QUEUED")).attemptId),
  AttemptClosed: async () => cancel((await world.in("SUCCEEDED")).attemptId),
  InvalidInput: async () => cancel((await world.in("QUEUED")).attemptId, { reason: "\0" }),
  NotFound: async () => cancel(nobodysAttempt),
};

for (const [member, ask] of Object.entries(attemptCancels)) {
  promise(`CancelAttemptResult = ${member}`, "answers where it says so", async () => {
    expect(await ask()).toMatchObject({ __typename: member });
  });
}

promise("CancelAttemptSuccess.job", "is the job, FAILED for want of another attempt", async () => {
  const { jobId, attemptId } = await world.fresh("RUNNING");
  expect(await cancel(attemptId, {}, "job { id state failure { code } }")).toMatchObject({
    job: { id: jobId, state: "FAILED", failure: { code: "ATTEMPT_CANCELLED" } },
  });
});

promise("CancelAttemptSuccess.attempt", "is the attempt, also for a repeat", async () => {
  const { attemptId } = await world.fresh("RUNNING");
  const first = await cancel(attemptId);
  expect(first).toMatchObject({ attempt: { id: attemptId, state: "CANCELLED" } });
  expect(await cancel(attemptId)).toEqual(first);
});

const withdraw = (jobId: string, more: Fields = {}) =>
  mutate(world.ann, "cancelJob", { jobId, ...more }, success("CancelJob", "job { id state liveAttempt { id } }"));

promise("Mutation.cancelJob", "withdraws the intent, with its live attempt", async () => {
  const { jobId, attemptId } = await world.fresh("RUNNING");
  await withdraw(jobId);
  expect(await look(world.ann, attemptId, "state")).toBe("CANCELLED");
});

promise("CancelJobInput.jobId", "is the job that ends", async () => {
  const { jobId } = await world.fresh("QUEUED");
  expect(await withdraw(jobId)).toMatchObject({ job: { id: jobId } });
});

promise("CancelJobInput.reason", "is kept in the job's events", async () => {
  const { jobId } = await world.fresh("QUEUED");
  await withdraw(jobId, { reason: "wrong menu" });
  const events = await look<unknown[]>(world.ann, jobId, "events(last: 1) { type detail }");
  expect(events).toEqual([{ type: "JOB_CANCELLED", detail: { reason: "wrong menu" } }]);
});

const jobCancels: Readonly<Record<string, () => ReturnType<typeof withdraw>>> = {
  CancelJobSuccess: async () => withdraw((await world.fresh("QUEUED")).jobId),
  JobClosed: async () => withdraw((await world.in("SUCCEEDED")).jobId),
  InvalidInput: async () => withdraw((await world.in("QUEUED")).jobId, { reason: "\0" }),
  NotFound: async () => withdraw(nobodysJob),
};

for (const [member, ask] of Object.entries(jobCancels)) {
  promise(`CancelJobResult = ${member}`, "answers where it says so", async () => {
    expect(await ask()).toMatchObject({ __typename: member });
  });
}

promise("CancelJobSuccess.job", "is the job, CANCELLED, also for a repeat", async () => {
  const { jobId } = await world.fresh("UNKNOWN");
  const first = await withdraw(jobId);
  expect(first).toMatchObject({ job: { id: jobId, state: "CANCELLED", liveAttempt: null } });
  expect(await withdraw(jobId)).toEqual(first);
});

const withdrawAll = (more: Fields = {}) =>
  mutate(
    world.as("bob"),
    "cancelJobs",
    { filter: { operation: "steady" }, reason: "the shop closes", ...more },
    success("CancelJobs", "jobs { id state } hasMore"),
  );
const bobs = async (operation = "steady") => (await world.as("bob").create(intent({ operation }))).job!.id;

promise("Mutation.cancelJobs", "withdraws the caller's open jobs that fit, and no other owner's", async () => {
  const [anns, own] = [await world.in("QUEUED"), await bobs()];
  expect(await withdrawAll()).toMatchObject({ jobs: [{ id: own, state: "CANCELLED" }] });
  expect(await look(world.ann, anns.jobId, "state")).toBe("QUEUED");
});

promise("CancelJobsInput.filter", "chooses them", async () => {
  const [other, own] = [await bobs("any"), await bobs()];
  expect(await withdrawAll()).toMatchObject({ jobs: [{ id: own }] });
  expect(await withdrawAll({ filter: { operation: "any" } })).toMatchObject({ jobs: [{ id: other }] });
});

promise("CancelJobsInput.limit", "is how many at most, the oldest first", async () => {
  const ids = [await bobs(), await bobs(), await bobs()];
  expect((await withdrawAll({ limit: 2 })).jobs?.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect((await withdrawAll({ limit: 2 })).jobs?.map(({ id }) => id)).toEqual(ids.slice(2));
});

promise("CancelJobsInput.reason", "is kept in the events of each", async () => {
  const id = await bobs();
  await withdrawAll({ reason: "rain" });
  const events = await look<unknown[]>(world.as("bob"), id, "events(last: 1) { detail }");
  expect(events).toEqual([{ detail: { reason: "rain" } }]);
});

promise("CancelJobsResult = CancelJobsSuccess", "answers also where there was nothing to withdraw", async () => {
  expect(await withdrawAll()).toMatchObject({ __typename: "CancelJobsSuccess", jobs: [] });
});

promise("CancelJobsResult = InvalidInput", "answers a filter without a condition", async () => {
  expect(await withdrawAll({ filter: {} })).toMatchObject({ __typename: "InvalidInput" });
});

promise("CancelJobsSuccess.jobs", "are those that this call withdrew", async () => {
  const id = await bobs();
  expect(await withdrawAll()).toMatchObject({ jobs: [{ id, state: "CANCELLED" }] });
  expect(await withdrawAll()).toMatchObject({ jobs: [] });
});

promise("CancelJobsSuccess.hasMore", "is whether the filter still fits open jobs", async () => {
  await Promise.all([bobs(), bobs()]);
  expect(await withdrawAll({ limit: 1 })).toMatchObject({ hasMore: true });
  expect(await withdrawAll({ limit: 1 })).toMatchObject({ hasMore: false });
});
