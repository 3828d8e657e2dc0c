/** The refusals: what each one says beside its code and message, by a test for each field. When they are given is tested with the mutations. */
import { afterAll, beforeAll, expect } from "vitest";
import { encodeId } from "../../../src/store/ids.ts";
import { certify } from "../../support/certify.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { on, type Refused, refusals } from "../../support/contract-refusals.ts";
import { look, mutate, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const promise = promisesOf(
  ["UserError", "ErrorCode", "InputIssue", "IdempotencyConflict", "InvalidInput", "NotFound", "AttemptInFlight"],
  ["RetryOutdated", "JobClosed", "ProviderNotCertified", "AttemptClosed", "LookupUnavailable", "LeaseLost"],
  ["ResultDiscarded", "ResultRejected", "KeyInUse"],
);
const refused = (type: string, fields: string): Promise<Refused> => refusals[type]![1](world, fields);

for (const [type, [code, provoke]] of Object.entries(refusals)) {
  promise(`${type}.code`, `is ${code}`, async () => {
    expect((await provoke(world, "code")).answer).toMatchObject({ __typename: type, code });
  });

  promise(`${type}.message`, "says in a sentence what to do", async () => {
    expect((await provoke(world, "message")).answer.message).toMatch(/^[A-Z][^\n]{20,}\.$/);
  });

  promise(`ErrorCode.${code}`, `is that of ${type}`, async () => {
    expect((await provoke(world, "code")).answer.code).toBe(code);
  });
}

promise("UserError.code", "is there for a client that knows no refusal by name", async () => {
  for (const type of ["JobClosed", "AttemptClosed"])
    expect((await refused(type, "__typename")).answer.code).toBe(refusals[type]?.[0]);
});

promise("UserError.message", "is there for a client that knows no refusal by name", async () => {
  expect((await refused("JobClosed", "__typename")).answer.message).toContain("has succeeded or was cancelled");
});

for (const type of ["AttemptInFlight", "RetryOutdated", "JobClosed", "ResultDiscarded", "ResultRejected", "KeyInUse"]) {
  promise(`${type}.job`, "is the job that it is about", async () => {
    const { jobId, answer } = await refused(type, "job { id }");
    expect(answer.job).toEqual({ id: jobId });
  });
}

const attemptRefusals = ["AttemptInFlight", "AttemptClosed", "LookupUnavailable", "LeaseLost"];
for (const type of [...attemptRefusals, "ResultDiscarded", "ResultRejected"]) {
  promise(`${type}.attempt`, "is the attempt that it is about", async () => {
    const { attemptId, answer } = await refused(type, "attempt { id }");
    expect(answer.attempt).toEqual({ id: attemptId });
  });
}

promise("RetryOutdated.latestAttempt", "is the newer one, to be named instead", async () => {
  const { attemptId, answer } = await refused("RetryOutdated", "latestAttempt { id number }");
  expect(answer.latestAttempt).toEqual({ id: attemptId, number: 2 });
});

promise("IdempotencyConflict.existingJob", "is the job that holds the key", async () => {
  const { jobId, answer } = await refused("IdempotencyConflict", "existingJob { id input }");
  expect(answer.existingJob).toEqual({ id: jobId, input: { text: "Menu" } });
});

promise("IdempotencyConflict.differences", "are where the intents differ, as JSON Pointers", async () => {
  const { answer } = await refused("IdempotencyConflict", "differences");
  expect(answer.differences?.toSorted()).toEqual(["/input/copies", "/input/text"]);
});

promise("InvalidInput.issues", "are all faults at once", async () => {
  const { answer } = await refused("InvalidInput", "issues { path }");
  expect(answer.issues).toHaveLength(2);
});

promise("InputIssue.path", "is a JSON Pointer into the mutation's input", async () => {
  const { answer } = await refused("InvalidInput", "issues { path }");
  expect(answer.issues?.map(({ path }) => path).toSorted()).toEqual(["/input/text", "/priority"]);
});

promise("InputIssue.message", "says what is wrong there", async () => {
  const { answer } = await refused("InvalidInput", "issues { path message }");
  expect(answer.issues?.find(({ path }) => path === "/priority")?.message).toContain("101");
});

promise("ResultRejected.issues", "are the places of the result that break the schema", async () => {
  const { answer } = await refused("ResultRejected", "issues { path }");
  expect(answer.issues).toEqual([{ path: "/result/pages" }]);
});

promise("ResultDiscarded.winner", "is the attempt that holds the slot, null where none does", async () => {
  expect((await refused("ResultDiscarded", "winner { id }")).answer.winner).toBeNull();
  const { attemptId, held } = await world.fresh("SUCCEEDED");
  const input = { attemptId, leaseToken: held?.claim.leaseToken, result: { pages: 2 } };
  const answer = await mutate(world.worker.api, "completeAttempt", input, on("ResultDiscarded", "winner { id }"));
  expect(answer).toMatchObject({ __typename: "ResultDiscarded", winner: { id: attemptId } });
});

promise("ProviderNotCertified.provider", "is the one that was refused", async () => {
  const { answer } = await refused("ProviderNotCertified", "provider { id }");
  expect(answer).toMatchObject({ provider: { id: "prov_laser" } });
});

promise("ProviderNotCertified.reason", "is what the gate says", async () => {
  expect((await refused("ProviderNotCertified", "reason")).answer.reason).toBe("NEVER_RUN");
});

/** Puts a failed run on record, with a check that passed and one that did not. */
async function failedRun(): Promise<string> {
  const contractDigest = await look<string>(world.ann, "op_steady", "contractDigest");
  const id = await certify(world.sql, { operation: "steady", status: "FAILED", contractDigest });
  await world.sql`insert into certification_checks (certification_id, ordinal, code, passed, runs, failures)
    values (${id}, 1, 'output.schema', true, 5, 0), (${id}, 2, 'semantic.golden', false, 5, 2)`;
  return id;
}

promise("ProviderNotCertified.certification", "is the newest, null where there was none", async () => {
  const ask = async () =>
    (await refused("ProviderNotCertified", "certification { id status }")).answer["certification"];
  expect(await ask()).toBeNull();
  const id = await failedRun();
  expect(await ask()).toEqual({ id: encodeId("cert", id), status: "FAILED" });
  await world.sql`delete from certification_checks`;
  await world.sql`delete from certifications`;
});

promise("ProviderNotCertified.failedChecks", "are those of it that failed", async () => {
  await failedRun();
  const { answer } = await refused("ProviderNotCertified", "failedChecks { code }");
  expect(answer["failedChecks"]).toEqual([{ code: "semantic.golden" }]);
});
