/** retryJob: each field of their inputs and answers, by a test of its own name. */
import { afterAll, beforeAll, expect } from "vitest";
import type { Fields } from "../../support/api-client.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { look, mutate, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const promise = promisesOf("Mutation.retryJob", "RetryJobInput", "RetryJobResult", "RetryJobSuccess");
const nobodysJob = "job_01h455vb4pex5vsknk084sn02q";
const nobodysAttempt = "att_01h455vb4pex5vsknk084sn02q";

const success = (name: string, fields: string) => `... on ${name}Success { ${fields} }`;
const retry = (jobId: string, afterAttemptId: string, more: Fields = {}, api = world.ann, selection = "") =>
  mutate(api, "retryJob", { jobId, afterAttemptId, ...more }, success("RetryJob", selection || "attempt { number }"));
const override = { provider: "laser", overrideGate: true, reason: "the owner waits" };

promise("Mutation.retryJob", "starts the attempt after the one named, once for two clicks", async () => {
  const { jobId, attemptId } = await world.fresh("FAILED");
  expect(await retry(jobId, attemptId)).toMatchObject({ attempt: { number: 2 } });
  expect(await retry(jobId, attemptId)).toMatchObject({ __typename: "AttemptInFlight" });
});

promise("RetryJobInput.jobId", "is the job that goes on", async () => {
  const { jobId, attemptId } = await world.fresh("FAILED");
  expect(await retry(jobId, attemptId, {}, world.ann, "job { id state }")).toMatchObject({
    job: { id: jobId, state: "QUEUED" },
  });
});

promise("RetryJobInput.afterAttemptId", "is the one that the caller saw end: an older one starts nothing", async () => {
  const { jobId, attemptId } = await world.fresh("FAILED");
  const second = await retry(jobId, attemptId, {}, world.ann, "attempt { id }");
  await world.ann.cancelAttempt(second.attempt!.id);
  expect(await retry(jobId, attemptId)).toMatchObject({ __typename: "RetryOutdated" });
  expect(await retry(jobId, second.attempt!.id)).toMatchObject({ attempt: { number: 3 } });
});

promise("RetryJobInput.provider", "must be certified, if it is another than the job's", async () => {
  const { jobId, attemptId } = await world.fresh("FAILED");
  expect(await retry(jobId, attemptId, { provider: "laser" })).toMatchObject({ __typename: "ProviderNotCertified" });
  expect(await retry(jobId, attemptId, { provider: "inkjet" }, world.ann, "attempt { providerName }")).toMatchObject({
    attempt: { providerName: "inkjet" },
  });
});

promise("RetryJobInput.overrideGate", "lets an operator start without a certification", async () => {
  const { jobId, attemptId } = await world.fresh("FAILED");
  const selection = "attempt { providerName uncertifiedBy }";
  expect(await retry(jobId, attemptId, override, world.operator, selection)).toMatchObject({
    attempt: { providerName: "laser", uncertifiedBy: "olga" },
  });
});

promise("RetryJobInput.reason", "is needed for an override, and kept in the job's events", async () => {
  const { jobId, attemptId } = await world.fresh("FAILED");
  const without = await retry(jobId, attemptId, { ...override, reason: "" }, world.operator);
  expect(without).toMatchObject({ __typename: "InvalidInput" });
  await retry(jobId, attemptId, override, world.operator);
  const [event] = await look<{ detail: unknown }[]>(world.ann, jobId, "events(last: 1) { detail }");
  expect(event?.detail).toMatchObject({ reason: "the owner waits" });
});

const retries: Readonly<Record<string, () => ReturnType<typeof retry>>> = {
  RetryJobSuccess: async () => {
    const { jobId, attemptId } = await world.fresh("FAILED");
    return retry(jobId, attemptId);
  },
  AttemptInFlight: async () => {
    const { jobId, attemptId } = await world.in("UNKNOWN");
    return retry(jobId, attemptId);
  },
  RetryOutdated: async () => {
    const { jobId, attemptId } = await world.fresh("FAILED");
    const { attempt } = await world.ann.retry(jobId, attemptId);
    await world.ann.cancelAttempt(attempt!.id);
    return retry(jobId, attemptId);
  },
  JobClosed: async () => {
    const { jobId, attemptId } = await world.in("SUCCEEDED");
    return retry(jobId, attemptId);
  },
  ProviderNotCertified: async () => {
    const { jobId, attemptId } = await world.in("FAILED");
    return retry(jobId, attemptId, { provider: "laser" });
  },
  InvalidInput: async () => {
    const { jobId, attemptId } = await world.in("FAILED");
    return retry(jobId, attemptId, { provider: "abacus" });
  },
  NotFound: async () => retry(nobodysJob, nobodysAttempt),
};

for (const [member, ask] of Object.entries(retries)) {
  promise(`RetryJobResult = ${member}`, "answers where it says so", async () => {
    expect(await ask()).toMatchObject({ __typename: member });
  });
}

promise("RetryJobSuccess.job", "is the job, QUEUED again", async () => {
  const { jobId, attemptId } = await world.fresh("FAILED");
  expect(await retry(jobId, attemptId, {}, world.ann, "job { id state failure { code } }")).toMatchObject({
    job: { id: jobId, state: "QUEUED", failure: null },
  });
});

promise("RetryJobSuccess.attempt", "is the new attempt", async () => {
  const { jobId, attemptId } = await world.fresh("FAILED");
  const { attempt } = await retry(jobId, attemptId, {}, world.ann, "attempt { id number state }");
  expect(attempt).toMatchObject({ number: 2, state: "QUEUED" });
  expect(await look(world.ann, jobId, "latestAttempt { id }")).toEqual({ id: attempt!.id });
});
