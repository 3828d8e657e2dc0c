/** The operators' mutations (resolveAttempt, lookUpAttempt, pauseProvider, resumeProvider, releaseKey): each field of their inputs and answers. */
import { afterAll, beforeAll, expect } from "vitest";
import type { Fields } from "../../support/api-client.ts";
import { pressKnows } from "../../support/contract-config.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { instant, look, mutate, purge, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const promise = promisesOf(
  ...["Mutation.resolveAttempt", "ResolveAttemptInput", "ResolveAttemptResult", "ResolveAttemptSuccess"],
  ...["ResolvedOutcome", "Mutation.lookUpAttempt", "LookUpAttemptInput", "LookUpAttemptResult", "LookUpAttemptSuccess"],
  ...["Mutation.pauseProvider", "PauseProviderInput", "PauseProviderResult", "PauseProviderSuccess"],
  ...["Mutation.resumeProvider", "ResumeProviderInput", "ResumeProviderResult", "ResumeProviderSuccess"],
  ...["Mutation.releaseKey", "ReleaseKeyInput", "ReleaseKeyResult", "ReleaseKeySuccess"],
);
const nobodys = "att_01h455vb4pex5vsknk084sn02q";

/** Members of a union, each with what is answered by it. */
function promiseMembers(union: string, members: Readonly<Record<string, () => Promise<unknown>>>): void {
  for (const [member, ask] of Object.entries(members)) {
    promise(`${union} = ${member}`, "answers where it says so", async () => {
      expect(await ask()).toMatchObject({ __typename: member });
    });
  }
}

const about = "job { id state result failure { message remedy } } attempt { id state }";
const resolve = (attemptId: string, more: Fields = {}) => {
  const input = { attemptId, outcome: "SUCCEEDED", result: { pages: 3 }, evidence: "seen in the tray", ...more };
  return mutate(world.operator, "resolveAttempt", input, `... on ResolveAttemptSuccess { ${about} }`);
};
const foundFailed = { outcome: "FAILED", result: null };

promise("Mutation.resolveAttempt", "settles an attempt whose outcome was found out elsewhere", async () => {
  const { jobId, attemptId } = await world.fresh("UNKNOWN");
  await resolve(attemptId);
  expect(await look(world.ann, jobId, "state winner { id }")).toEqual({
    state: "SUCCEEDED",
    winner: { id: attemptId },
  });
});

promise("ResolveAttemptInput.attemptId", "is the attempt that is settled", async () => {
  const { attemptId } = await world.fresh("UNKNOWN");
  expect(await resolve(attemptId)).toMatchObject({ attempt: { id: attemptId, state: "SUCCEEDED" } });
});

promise("ResolveAttemptInput.outcome", "is the state that it ends in", async () => {
  for (const [outcome, more] of [
    ["SUCCEEDED", {}],
    ["FAILED", foundFailed],
  ] as const) {
    const { attemptId } = await world.fresh("UNKNOWN");
    expect(await resolve(attemptId, more)).toMatchObject({ attempt: { state: outcome } });
  }
});

promise("ResolvedOutcome.SUCCEEDED", "takes the result slot", async () => {
  const { attemptId } = await world.fresh("RUNNING");
  expect(await resolve(attemptId)).toMatchObject({ job: { state: "SUCCEEDED" } });
});

promise("ResolvedOutcome.FAILED", "ends the job, and nothing follows by itself", async () => {
  const { attemptId } = await world.fresh("RUNNING");
  expect(await resolve(attemptId, { ...foundFailed, remedy: "SAME_PROVIDER" })).toMatchObject({
    job: { state: "FAILED" },
  });
});

promise("ResolveAttemptInput.result", "is the job's", async () => {
  const { attemptId } = await world.fresh("UNKNOWN");
  expect(await resolve(attemptId, { result: { pages: 9 } })).toMatchObject({ job: { result: { pages: 9 } } });
});

promise("ResolveAttemptInput.remedy", "is the failure's, NONE by default", async () => {
  const [first, second] = [await world.fresh("UNKNOWN"), await world.fresh("UNKNOWN")];
  expect(await resolve(first.attemptId, { ...foundFailed, remedy: "OTHER_PROVIDER" })).toMatchObject({
    job: { failure: { remedy: "OTHER_PROVIDER" } },
  });
  expect(await resolve(second.attemptId, foundFailed)).toMatchObject({ job: { failure: { remedy: "NONE" } } });
});

promise("ResolveAttemptInput.evidence", "is kept in the job's events", async () => {
  const { jobId, attemptId } = await world.fresh("UNKNOWN");
  await resolve(attemptId);
  const events = await look<Fields[]>(world.ann, jobId, "events { type detail }");
  expect(events.find((event) => event["type"] === "ATTEMPT_SUCCEEDED")).toMatchObject({
    detail: { evidence: "seen in the tray" },
  });
});

promiseMembers("ResolveAttemptResult", {
  ResolveAttemptSuccess: async () => resolve((await world.fresh("UNKNOWN")).attemptId),
  ResultDiscarded: async () => resolve((await world.in("FAILED")).attemptId),
  AttemptClosed: async () => resolve((await world.in("SUCCEEDED")).attemptId, foundFailed),
  InvalidInput: async () => resolve((await world.in("UNKNOWN")).attemptId, { result: { pages: 0 } }),
  NotFound: () => resolve(nobodys),
});

promise("ResolveAttemptSuccess.job", "is the job after it", async () => {
  const { jobId, attemptId } = await world.fresh("UNKNOWN");
  expect(await resolve(attemptId)).toMatchObject({ job: { id: jobId, state: "SUCCEEDED" } });
});

promise("ResolveAttemptSuccess.attempt", "is the attempt after it, also for a repeat", async () => {
  const { attemptId } = await world.fresh("UNKNOWN");
  const first = await resolve(attemptId);
  expect(first).toMatchObject({ attempt: { id: attemptId, state: "SUCCEEDED" } });
  expect(await resolve(attemptId)).toEqual(first);
});

const lookUp = (attemptId: string) =>
  mutate(world.operator, "lookUpAttempt", { attemptId }, `... on LookUpAttemptSuccess { ${about} }`);

promise("Mutation.lookUpAttempt", "asks the provider, whose answer settles the attempt", async () => {
  const { jobId, attemptId } = await world.lostPoster();
  pressKnows.set(jobId, { kind: "succeeded", result: { pages: 4 } });
  await lookUp(attemptId);
  expect(await look(world.ann, jobId, "state result")).toEqual({ state: "SUCCEEDED", result: { pages: 4 } });
});

promise("LookUpAttemptInput.attemptId", "is the attempt that is asked about", async () => {
  const { attemptId } = await world.lostPoster();
  expect(await lookUp(attemptId)).toMatchObject({ attempt: { id: attemptId } });
});

promiseMembers("LookUpAttemptResult", {
  LookUpAttemptSuccess: async () => lookUp((await world.lostPoster()).attemptId),
  LookupUnavailable: async () => lookUp((await world.in("UNKNOWN")).attemptId),
  AttemptClosed: async () => lookUp((await world.in("SUCCEEDED")).attemptId),
  NotFound: () => lookUp(nobodys),
});

promise("LookUpAttemptSuccess.job", "is the job after it", async () => {
  const { jobId, attemptId } = await world.lostPoster();
  const failure = { code: "NO_PAPER", message: "It never printed.", remedy: "NONE" } as const;
  pressKnows.set(jobId, { kind: "failed", failure });
  expect(await lookUp(attemptId)).toMatchObject({ job: { id: jobId, state: "FAILED" } });
});

promise("LookUpAttemptSuccess.attempt", "stays UNKNOWN where nothing was learnt", async () => {
  const { attemptId } = await world.lostPoster();
  expect(await lookUp(attemptId)).toMatchObject({ attempt: { id: attemptId, state: "UNKNOWN" } });
});

const provider = (name: string) => `... on ${name}Success { provider { id pausedAt pauseReason } }`;
const pause = (more: Fields = {}) =>
  mutate(
    world.operator,
    "pauseProvider",
    { provider: "laser", reason: "no toner", ...more },
    provider("PauseProvider"),
  );
const resume = (name = "laser") =>
  mutate(world.operator, "resumeProvider", { provider: name }, provider("ResumeProvider"));

promise("Mutation.pauseProvider", "lets no further attempt start on it", async () => {
  const { jobId } = await world.fresh("QUEUED", { provider: "laser" });
  await pause();
  expect(await world.worker.finds(jobId)).toBe(false);
});

promise("Mutation.resumeProvider", "ends the pause: what waited meanwhile is claimed", async () => {
  const { jobId } = await world.fresh("QUEUED", { provider: "laser" });
  await pause();
  expect(await world.worker.finds(jobId)).toBe(false);
  await resume();
  expect(await world.worker.finds(jobId)).toBe(true);
});

promise("PauseProviderInput.provider", "is the one that is paused, no other", async () => {
  await pause();
  expect(await look(world.ann, "prov_laser", "pausedAt")).toMatch(instant);
  expect(await look(world.ann, "prov_inkjet", "pausedAt")).toBeNull();
});

promise("PauseProviderInput.reason", "is shown on the provider", async () => {
  await resume();
  await pause({ reason: "on fire" });
  expect(await look(world.ann, "prov_laser", "pauseReason")).toBe("on fire");
});

promiseMembers("PauseProviderResult", {
  PauseProviderSuccess: () => pause(),
  InvalidInput: () => pause({ reason: "" }),
  NotFound: () => pause({ provider: "abacus" }),
});

promise("PauseProviderSuccess.provider", "is the provider as it is now, also for a repeat", async () => {
  await resume();
  const first = await pause();
  expect(first).toMatchObject({ provider: { id: "prov_laser", pauseReason: "no toner" } });
  expect(await pause({ reason: "another" })).toEqual(first);
});

promise("ResumeProviderInput.provider", "is the one that is resumed", async () => {
  await pause();
  await resume();
  expect(await look(world.ann, "prov_laser", "pausedAt")).toBeNull();
});

promiseMembers("ResumeProviderResult", { ResumeProviderSuccess: () => resume(), NotFound: () => resume("abacus") });

promise("ResumeProviderSuccess.provider", "is the provider as it is now", async () => {
  await pause();
  expect(await resume()).toMatchObject({ provider: { id: "prov_laser", pausedAt: null, pauseReason: null } });
});

/** Of a job that succeeded and was purged, or not, under a key of its own. */
async function release(more: Fields = {}, isPurged = true) {
  const { jobId } = await world.fresh("SUCCEEDED");
  if (isPurged) await purge(world, jobId);
  const idempotencyKey = await look<string>(world.ann, jobId, "idempotencyKey");
  const input = { ownerId: "ann", idempotencyKey, reason: "ann asked for it", ...more };
  return { jobId, answer: await mutate(world.operator, "releaseKey", input, "... on ReleaseKeySuccess { jobId }") };
}

promise("Mutation.releaseKey", "removes a purged job, and is on record", async () => {
  const { jobId } = await release();
  expect(await world.ann.jobOrNull(jobId)).toBeNull();
  const log = await world.operator.ask("{ auditLog(first: 1) { nodes { action targetId reason } } }");
  expect(log).toEqual({
    auditLog: { nodes: [{ action: "releaseKey", targetId: jobId, reason: "ann asked for it" }] },
  });
});

promise("ReleaseKeyInput.ownerId", "is whose key it is: another owner's is not touched", async () => {
  const { jobId, answer } = await release({ ownerId: "bob" });
  expect(answer).toMatchObject({ __typename: "NotFound" });
  expect(await world.ann.jobOrNull(jobId)).not.toBeNull();
});

promise("ReleaseKeyInput.idempotencyKey", "is the key that is freed", async () => {
  expect((await release({ idempotencyKey: "never used" })).answer).toMatchObject({ __typename: "NotFound" });
});

promise("ReleaseKeyInput.reason", "is kept in the audit log", async () => {
  await release({ reason: "a misprint" });
  expect(await world.operator.ask("{ auditLog(first: 1) { nodes { reason } } }")).toEqual({
    auditLog: { nodes: [{ reason: "a misprint" }] },
  });
});

promiseMembers("ReleaseKeyResult", {
  ReleaseKeySuccess: async () => (await release()).answer,
  KeyInUse: async () => (await release({}, false)).answer,
  InvalidInput: async () => (await release({ reason: " " })).answer,
  NotFound: async () => (await release({ idempotencyKey: "never used" })).answer,
});

promise("ReleaseKeySuccess.jobId", "is the id that the removed job had", async () => {
  const { jobId, answer } = await release();
  expect(answer).toEqual({ __typename: "ReleaseKeySuccess", jobId });
});
