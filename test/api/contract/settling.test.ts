/** resolveAttempt and lookUpAttempt: each field of their inputs and answers. */
import { afterAll, beforeAll, expect } from "vitest";
import type { Fields } from "../../support/api-client.ts";
import { pressKnows } from "../../support/contract-config.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { look, mutate, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const promise = promisesOf(
  ["Mutation.resolveAttempt", "ResolveAttemptInput", "ResolveAttemptResult", "ResolveAttemptSuccess"],
  ["ResolvedOutcome", "Mutation.lookUpAttempt", "LookUpAttemptInput", "LookUpAttemptResult", "LookUpAttemptSuccess"],
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

const lookUp = (attemptId: string, more: Fields = {}) =>
  mutate(world.operator, "lookUpAttempt", { attemptId, ...more }, `... on LookUpAttemptSuccess { ${about} }`);

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

promise("LookUpAttemptInput.reason", "is kept in the audit log", async () => {
  await lookUp((await world.lostPoster()).attemptId, { reason: "ann waits" });
  expect(await world.operator.ask("{ auditLog(first: 1) { nodes { reason } } }")).toEqual({
    auditLog: { nodes: [{ reason: "ann waits" }] },
  });
});

promiseMembers("LookUpAttemptResult", {
  LookUpAttemptSuccess: async () => lookUp((await world.lostPoster()).attemptId),
  LookupUnavailable: async () => lookUp((await world.in("UNKNOWN")).attemptId),
  AttemptClosed: async () => lookUp((await world.in("SUCCEEDED")).attemptId),
  InvalidInput: () => lookUp(nobodys, { reason: "a\0b" }),
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
