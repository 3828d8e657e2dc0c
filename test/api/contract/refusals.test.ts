/** The refusals: what each one says beside its code and message, by a test for each field. When they are given is tested with the mutations. */
import { afterAll, beforeAll, expect } from "vitest";
import { encodeId } from "../../../src/store/ids.ts";
import type { Answer } from "../../support/api-answers.ts";
import type { Fields } from "../../support/api-client.ts";
import { claimedJob } from "../../support/api-reach.ts";
import { certify } from "../../support/certify.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { intent, look, mutate, startWorld, type World } from "../../support/contract-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

type Given = Answer & Fields;
interface Refused {
  readonly answer: Given;
  readonly jobId?: string;
  readonly attemptId?: string;
}
/** Provokes the refusal, and asks for the fields. */
type Provoke = (fields: string) => Promise<Refused>;

const on = (type: string, fields: string) => `... on ${type} { ${fields} }`;

async function claimed() {
  const { held, job } = await claimedJob(world, "steady");
  return { jobId: job.id, attemptId: held.attempt.id, leaseToken: held.claim.leaseToken };
}

/** Reports a result under a claim. */
async function complete(type: string, fields: string, more: Fields, before?: (attemptId: string) => Promise<unknown>) {
  const { jobId, attemptId, leaseToken } = await claimed();
  await before?.(attemptId);
  const input = { attemptId, leaseToken, result: { pages: 1 }, ...more };
  return { jobId, attemptId, answer: await mutate(world.worker.api, "completeAttempt", input, on(type, fields)) };
}

async function retryOf(
  { jobId, attemptId }: { readonly jobId: string; readonly attemptId: string },
  selection: string,
  more: Fields = {},
): Promise<Given> {
  return mutate(world.ann, "retryJob", { jobId, afterAttemptId: attemptId, ...more }, selection);
}

const refusals: Readonly<Record<string, readonly [code: string, provoke: Provoke]>> = {
  IdempotencyConflict: [
    "IDEMPOTENCY_CONFLICT",
    async (fields) => {
      const given = intent();
      const { job } = await world.ann.create(given);
      const other = { ...given, input: { text: "Bill", copies: 2 } };
      return { jobId: job!.id, answer: await mutate(world.ann, "createJob", other, on("IdempotencyConflict", fields)) };
    },
  ],
  InvalidInput: [
    "INVALID_INPUT",
    async (fields) => {
      const given = intent({ input: { text: 7 }, priority: 101 });
      return { answer: await mutate(world.ann, "createJob", given, on("InvalidInput", fields)) };
    },
  ],
  NotFound: [
    "NOT_FOUND",
    async (fields) => {
      const given = { jobId: "job_01h455vb4pex5vsknk084sn02q" };
      return { answer: await mutate(world.ann, "cancelJob", given, on("NotFound", fields)) };
    },
  ],
  AttemptInFlight: [
    "ATTEMPT_IN_FLIGHT",
    async (fields) => {
      const unknown = await world.in("UNKNOWN");
      return { ...unknown, answer: await retryOf(unknown, on("AttemptInFlight", fields)) };
    },
  ],
  RetryOutdated: [
    "RETRY_OUTDATED",
    async (fields) => {
      const { jobId, attemptId } = await world.fresh("FAILED");
      const newer = (await world.ann.retry(jobId, attemptId)).attempt!.id;
      await world.ann.cancelAttempt(newer);
      const answer = await retryOf({ jobId, attemptId }, on("RetryOutdated", fields));
      return { jobId, attemptId: newer, answer };
    },
  ],
  JobClosed: [
    "JOB_CLOSED",
    async (fields) => {
      const done = await world.in("SUCCEEDED");
      return { ...done, answer: await retryOf(done, on("JobClosed", fields)) };
    },
  ],
  ProviderNotCertified: [
    "PROVIDER_NOT_CERTIFIED",
    async (fields) => {
      const failed = await world.in("FAILED");
      return { ...failed, answer: await retryOf(failed, on("ProviderNotCertified", fields), { provider: "laser" }) };
    },
  ],
  AttemptClosed: [
    "ATTEMPT_CLOSED",
    async (fields) => {
      const { attemptId } = await world.in("SUCCEEDED");
      const answer = await mutate(world.operator, "cancelAttempt", { attemptId }, on("AttemptClosed", fields));
      return { attemptId, answer };
    },
  ],
  LookupUnavailable: [
    "LOOKUP_UNAVAILABLE",
    async (fields) => {
      const { attemptId } = await world.in("UNKNOWN");
      const answer = await mutate(world.operator, "lookUpAttempt", { attemptId }, on("LookupUnavailable", fields));
      return { attemptId, answer };
    },
  ],
  LeaseLost: ["LEASE_LOST", (fields) => complete("LeaseLost", fields, { leaseToken: "another" })],
  ResultDiscarded: [
    "RESULT_DISCARDED",
    (fields) => complete("ResultDiscarded", fields, {}, (attemptId) => world.operator.cancelAttempt(attemptId)),
  ],
  ResultRejected: ["RESULT_REJECTED", (fields) => complete("ResultRejected", fields, { result: { pages: 0 } })],
  KeyInUse: [
    "KEY_IN_USE",
    async (fields) => {
      const { jobId } = await world.in("SUCCEEDED");
      const idempotencyKey = await look<string>(world.ann, jobId, "idempotencyKey");
      const given = { ownerId: "ann", idempotencyKey, reason: "why not" };
      return { jobId, answer: await mutate(world.operator, "releaseKey", given, on("KeyInUse", fields)) };
    },
  ],
};

const promise = promisesOf("UserError", "ErrorCode", "InputIssue", ...Object.keys(refusals));
const refused = (type: string, fields: string): Promise<Refused> => refusals[type]![1](fields);

for (const [type, [code, provoke]] of Object.entries(refusals)) {
  promise(`${type}.code`, `is ${code}`, async () => {
    expect((await provoke("code")).answer).toMatchObject({ __typename: type, code });
  });

  promise(`${type}.message`, "says in a sentence what to do", async () => {
    expect((await provoke("message")).answer.message).toMatch(/^[A-Z][^\n]{20,}\.$/);
  });

  promise(`ErrorCode.${code}`, `is that of ${type}`, async () => {
    expect((await provoke("code")).answer.code).toBe(code);
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

const aboutAttempts = [
  ...["AttemptInFlight", "AttemptClosed", "LookupUnavailable", "LeaseLost"],
  ...["ResultDiscarded", "ResultRejected"],
];
for (const type of aboutAttempts) {
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
