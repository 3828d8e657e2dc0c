/** pauseProvider, resumeProvider and releaseKey: each field of their inputs and answers. */
import { afterAll, beforeAll, expect } from "vitest";
import type { Fields } from "../../support/api-client.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { instant, look, mutate, purge, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const promise = promisesOf(
  ["Mutation.pauseProvider", "PauseProviderInput", "PauseProviderResult", "PauseProviderSuccess"],
  ["Mutation.resumeProvider", "ResumeProviderInput", "ResumeProviderResult", "ResumeProviderSuccess"],
  ["Mutation.releaseKey", "ReleaseKeyInput", "ReleaseKeyResult", "ReleaseKeySuccess"],
);

/** Members of a union, each with what is answered by it. */
function promiseMembers(union: string, members: Readonly<Record<string, () => Promise<unknown>>>): void {
  for (const [member, ask] of Object.entries(members)) {
    promise(`${union} = ${member}`, "answers where it says so", async () => {
      expect(await ask()).toMatchObject({ __typename: member });
    });
  }
}

const provider = (name: string) => `... on ${name}Success { provider { id pausedAt pauseReason } }`;
const pause = (more: Fields = {}) =>
  mutate(
    world.operator,
    "pauseProvider",
    { provider: "laser", reason: "no toner", ...more },
    provider("PauseProvider"),
  );
const resume = (name = "laser", more: Fields = {}) =>
  mutate(world.operator, "resumeProvider", { provider: name, ...more }, provider("ResumeProvider"));

async function newestReason(): Promise<unknown> {
  const { auditLog } = await world.operator.ask<{ auditLog: { nodes: { reason: string | null }[] } }>(
    "{ auditLog(first: 1) { nodes { reason } } }",
  );
  return auditLog.nodes[0]?.reason;
}

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

promise("ResumeProviderInput.reason", "is kept in the audit log", async () => {
  await pause();
  await resume("laser", { reason: "new toner" });
  expect(await newestReason()).toBe("new toner");
});

promiseMembers("ResumeProviderResult", {
  ResumeProviderSuccess: () => resume(),
  InvalidInput: () => resume("laser", { reason: "a\0b" }),
  NotFound: () => resume("abacus"),
});

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
