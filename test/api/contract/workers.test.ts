/** claimAttempts, and the claims that it answers with: each field by a test of its own name. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import type { ClaimView } from "../../support/api-answers.ts";
import type { Fields } from "../../support/api-client.ts";
import { holding } from "../../support/api-worker.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { instant, intent, look, mutate, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const promise = promisesOf(
  "Mutation.claimAttempts",
  "ClaimAttemptsInput",
  "ClaimAttemptsResult",
  "ClaimAttemptsSuccess",
  "Claim",
);

/** Takes what waits on the plotter, which is what these tests alone put there. */
async function claim(more: Fields = {}, selection = "attempt { id job { id } } leaseToken"): Promise<ClaimView[]> {
  const input = { workerId: "w-7", providers: ["plotter"], ...more };
  const answer = await mutate(
    world.worker.api,
    "claimAttempts",
    input,
    `... on ClaimAttemptsSuccess { claims { ${selection} } }`,
  );
  return [...(answer.claims ?? [])];
}
const waiting = async (more: Fields = {}, headers = {}) =>
  (await world.ann.create(intent({ operation: "stamp", ...more }), headers)).job!;
const jobsOf = (claims: readonly ClaimView[]) => claims.map(({ attempt }) => attempt.job.id);

promise("Mutation.claimAttempts", "takes waiting attempts, each once", async () => {
  const { id } = await waiting();
  expect(jobsOf(await claim())).toEqual([id]);
  expect(await claim()).toEqual([]);
  expect(await look(world.ann, id, "latestAttempt { state }")).toEqual({ state: "STARTING" });
});

promise("ClaimAttemptsInput.workerId", "is kept on the attempt", async () => {
  const { id } = await waiting();
  await claim({ workerId: "printer in the cellar" });
  expect(await look(world.ann, id, "latestAttempt { workerId }")).toEqual({ workerId: "printer in the cellar" });
});

promise("ClaimAttemptsInput.providers", "are those whose attempts are taken", async () => {
  const { id } = await waiting();
  expect(await claim({ providers: ["laser"] })).toEqual([]);
  expect(jobsOf(await claim({ providers: ["laser", "plotter"] }))).toEqual([id]);
});

promise("ClaimAttemptsInput.operations", "are those whose attempts are taken, all by default", async () => {
  const { id } = await waiting();
  expect(await claim({ operations: ["any"] })).toEqual([]);
  expect(jobsOf(await claim({ operations: ["any", "stamp"] }))).toEqual([id]);
});

promise("ClaimAttemptsInput.limit", "is how many at most, one by default", async () => {
  await Promise.all([waiting(), waiting(), waiting(), waiting()]);
  expect(await claim()).toHaveLength(1);
  expect(await claim({ limit: 2 })).toHaveLength(2);
  expect(await claim({ limit: 2 })).toHaveLength(1);
});

promise("ClaimAttemptsInput.claimKey", "repeated gets the same attempts under the same tokens", async () => {
  await Promise.all([waiting(), waiting()]);
  const claimKey = randomUUID();
  const first = await claim({ claimKey });
  expect(await claim({ claimKey })).toEqual(first);
  expect(await claim({ claimKey: randomUUID() })).not.toEqual(first);
});

promise("ClaimAttemptsInput.waitMs", "has it wait for what is not there yet", async () => {
  const waits = claim({ waitMs: 30_000 });
  const { id } = await waiting();
  expect(jobsOf(await waits)).toEqual([id]);
});

promise("ClaimAttemptsResult = ClaimAttemptsSuccess", "answers also where nothing waits", async () => {
  expect(await claim()).toEqual([]);
});

promise("ClaimAttemptsResult = InvalidInput", "answers a provider that there is not", async () => {
  const given = { workerId: "w", providers: ["abacus"] };
  expect(await mutate(world.worker.api, "claimAttempts", given)).toMatchObject({ __typename: "InvalidInput" });
});

promise("ClaimAttemptsSuccess.claims", "are one for each attempt that was taken", async () => {
  const made = await Promise.all([waiting(), waiting()]);
  expect(jobsOf(await claim({ limit: 10 })).toSorted()).toEqual(made.map(({ id }) => id).toSorted());
});

/** A job of its own, claimed, with what is selected of the claim. */
async function claimed(selection: string, more: Fields = {}, headers = {}) {
  const made = await waiting(more, headers);
  const [one] = await claim({}, selection);
  return { made, one: one as unknown as ClaimView & Record<string, string> };
}

promise("Claim.attempt", "is the attempt, STARTING", async () => {
  const { made, one } = await claimed("attempt { id state }");
  expect(one.attempt).toEqual({ id: made.latestAttempt.id, state: "STARTING" });
});

promise("Claim.leaseToken", "proves the claim, and no other token does", async () => {
  const { one } = await claimed("attempt { id } leaseToken");
  const wrong = holding(world.worker.api, { ...one, leaseToken: `${one.leaseToken}x` });
  expect(await wrong.complete(1)).toMatchObject({ __typename: "LeaseLost" });
  expect(await holding(world.worker.api, one).complete(1)).toMatchObject({ __typename: "CompleteAttemptSuccess" });
});

promise("Claim.operationName", "is the job's", async () => {
  expect((await claimed("operationName")).one.operationName).toBe("stamp");
});

promise("Claim.operationVersion", "is the job's", async () => {
  expect((await claimed("operationVersion")).one).toMatchObject({ operationVersion: 1 });
});

promise("Claim.input", "is the job's", async () => {
  expect((await claimed("input", { input: { text: "PAID" } })).one.input).toEqual({ text: "PAID" });
});

promise("Claim.providerIdempotencyKey", "is the same for every attempt of the job at this provider", async () => {
  const { made, one } = await claimed("providerIdempotencyKey");
  await world.operator.cancelAttempt(made.latestAttempt.id);
  await world.ann.retry(made.id, made.latestAttempt.id);
  const [again] = await claim({}, "providerIdempotencyKey");
  expect(again?.providerIdempotencyKey).toBe(one.providerIdempotencyKey);
  expect((await claimed("providerIdempotencyKey")).one.providerIdempotencyKey).not.toBe(one.providerIdempotencyKey);
});

promise("Claim.traceparent", "is the createJob call's, null if it had none", async () => {
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  expect((await claimed("traceparent", {}, { traceparent })).one.traceparent).toBe(traceparent);
  expect((await claimed("traceparent")).one.traceparent).toBeNull();
});

promise("Claim.leaseExpiresAt", "is the attempt's", async () => {
  const { one } = await claimed("leaseExpiresAt attempt { leaseExpiresAt }");
  expect(one["leaseExpiresAt"]).toMatch(instant);
  expect(one.attempt).toEqual({ leaseExpiresAt: one["leaseExpiresAt"] });
});

promise("Claim.leaseMs", "is the time from the claim to the end of the lease", async () => {
  const { one } = await claimed("leaseMs leaseExpiresAt attempt { startedAt }");
  const { startedAt } = one.attempt as unknown as Record<string, string>;
  expect(one.leaseMs).toBe(Date.parse(one["leaseExpiresAt"]!) - Date.parse(startedAt!));
});

promise("Claim.deadlineAt", "is the attempt's", async () => {
  const { one } = await claimed("deadlineAt attempt { deadlineAt }");
  expect(one["deadlineAt"]).toMatch(instant);
  expect(one.attempt).toEqual({ deadlineAt: one["deadlineAt"] });
});

promise("Claim.deadlineMs", "is the time from the claim to the deadline", async () => {
  const { one } = await claimed("deadlineMs deadlineAt attempt { startedAt }");
  const { startedAt } = one.attempt as unknown as Record<string, string>;
  expect(one.deadlineMs).toBe(Date.parse(one["deadlineAt"]!) - Date.parse(startedAt!));
});
