/** What workers report about a claimed attempt: each field of these mutations' inputs and answers, by a test of its own name. */
import { afterAll, beforeAll, expect } from "vitest";
import type { JobStateName } from "../../support/api-reach.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { hold, promiseReport, verbs } from "../../support/contract-reports.ts";
import { instant, look, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const promise = promisesOf(
  ["Mutation.markAttemptRunning", "MarkAttemptRunningInput", "MarkAttemptRunningResult", "MarkAttemptRunningSuccess"],
  ["Mutation.heartbeatAttempt", "HeartbeatAttemptInput", "HeartbeatAttemptResult", "HeartbeatAttemptSuccess"],
  ["Mutation.completeAttempt", "CompleteAttemptInput", "CompleteAttemptResult", "CompleteAttemptSuccess"],
  ["Mutation.failAttempt", "FailAttemptInput", "FailAttemptResult", "FailAttemptSuccess"],
  ["ProgressInput", "Certainty"],
);
for (const verb of verbs) promiseReport(promise, verb, () => world);
const held = (state?: JobStateName) => hold(world, state);

promise("MarkAttemptRunningInput.providerRequestId", "is kept on the attempt", async () => {
  const { attemptId, report } = await held();
  await report("MarkAttemptRunning");
  expect(await look(world.ann, attemptId, "providerRequestId")).toBe("print-17");
});

promise("HeartbeatAttemptInput.progress", "is shown on the attempt; without it the last one stays", async () => {
  const { attemptId, report } = await held();
  await report("HeartbeatAttempt");
  await report("HeartbeatAttempt", { progress: null });
  expect(await look(world.ann, attemptId, "progress { fraction }")).toEqual({ fraction: 0.5 });
});

promise("ProgressInput.fraction", "is shown as it was given", async () => {
  const { attemptId, report } = await held();
  await report("HeartbeatAttempt", { progress: { fraction: 0.75 } });
  expect(await look(world.ann, attemptId, "progress { fraction message }")).toEqual({ fraction: 0.75, message: null });
});

promise("ProgressInput.message", "is shown as it was given", async () => {
  const { attemptId, report } = await held();
  await report("HeartbeatAttempt", { progress: { message: "Blatt 3" } });
  const shown = { fraction: null, message: "Blatt 3" };
  expect(await look(world.ann, attemptId, "progress { fraction message }")).toEqual(shown);
});

promise(
  "HeartbeatAttemptSuccess.leaseExpiresAt",
  "is when the lease ends now, null for an UNKNOWN attempt",
  async () => {
    expect((await (await held()).report("HeartbeatAttempt")).leaseExpiresAt).toMatch(instant);
    expect(await (await held("UNKNOWN")).report("HeartbeatAttempt")).toMatchObject({ leaseExpiresAt: null });
  },
);

promise("HeartbeatAttemptSuccess.leaseMs", "is the operation's lease", async () => {
  expect(await (await held()).report("HeartbeatAttempt")).toMatchObject({ leaseMs: 600_000 });
});

promise(
  "CompleteAttemptInput.result",
  "takes the slot; left out it is null, which the output schema judges",
  async () => {
    const { jobId, report } = await held();
    await report("CompleteAttempt");
    expect(await look(world.ann, jobId, "result")).toEqual({ pages: 1 });
    expect(await (await held()).report("CompleteAttempt", { result: null })).toMatchObject({
      __typename: "ResultRejected",
    });
  },
);

promise("CompleteAttemptSuccess.job", "is the job, SUCCEEDED", async () => {
  const { jobId, report } = await held();
  expect(await report("CompleteAttempt")).toMatchObject({ job: { id: jobId, state: "SUCCEEDED" } });
});

promise("CompleteAttemptResult = ResultDiscarded", "answers a result that comes too late", async () => {
  const { attemptId, report } = await held();
  await world.operator.cancelAttempt(attemptId);
  expect(await report("CompleteAttempt")).toMatchObject({ __typename: "ResultDiscarded" });
});

promise("CompleteAttemptResult = ResultRejected", "answers a result off the operation's schema", async () => {
  const { attemptId, report } = await held();
  expect(await report("CompleteAttempt", { result: { pages: 0 } })).toMatchObject({ __typename: "ResultRejected" });
  expect(await look(world.ann, attemptId, "failure { code }")).toEqual({ code: "NONCONFORMING_RESULT" });
});

for (const [field, given, shown] of [
  ["code", "NO_INK", "NO_INK"],
  ["message", "No ink.", "No ink."],
  ["remedy", "OTHER_PROVIDER", "OTHER_PROVIDER"],
] as const) {
  promise(`FailAttemptInput.${field}`, "is shown of the attempt's failure", async () => {
    const { attemptId, report } = await held();
    await report("FailAttempt", { [field]: given });
    expect(await look(world.ann, attemptId, `failure { ${field} }`)).toEqual({ [field]: shown });
  });
}

promise("FailAttemptInput.certainty", "is whether the attempt has ended", async () => {
  const { attemptId, report } = await held();
  await report("FailAttempt", { certainty: "UNCERTAIN" });
  expect(await look(world.ann, attemptId, "state")).toBe("UNKNOWN");
  await report("FailAttempt");
  expect(await look(world.ann, attemptId, "state")).toBe("FAILED");
});

for (const [certainty, state] of [
  ["DEFINITE", "FAILED"],
  ["UNCERTAIN", "UNKNOWN"],
] as const) {
  promise(`Certainty.${certainty}`, `leaves the attempt ${state}`, async () => {
    const { attemptId, report } = await held();
    await report("FailAttempt", { certainty });
    expect(await look(world.ann, attemptId, "state effectUncertain")).toEqual({
      state,
      effectUncertain: certainty === "UNCERTAIN",
    });
  });
}

promise("FailAttemptSuccess.job", "is the job after it", async () => {
  const { jobId, report } = await held();
  expect(await report("FailAttempt")).toMatchObject({ job: { id: jobId, state: "FAILED" } });
});
