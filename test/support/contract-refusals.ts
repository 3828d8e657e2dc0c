/** How each refusal of the contract is provoked, with the ids that it is about. It judges none of their fields. */
import type { Answer } from "./api-answers.ts";
import type { Fields } from "./api-client.ts";
import { claimedJob } from "./api-reach.ts";
import { intent, look, mutate, type World } from "./contract-world.ts";

type Given = Answer & Fields;
export interface Refused {
  readonly answer: Given;
  readonly jobId?: string;
  readonly attemptId?: string;
}
/** Provokes the refusal, and asks for its fields. */
type Provoke = (world: World, fields: string) => Promise<Refused>;

export const on = (type: string, fields: string) => `... on ${type} { ${fields} }`;

async function claimed(world: World) {
  const { held, job } = await claimedJob(world, "steady");
  return { jobId: job.id, attemptId: held.attempt.id, leaseToken: held.claim.leaseToken };
}

/** Reports a result under a claim. */
async function complete(
  world: World,
  type: string,
  fields: string,
  more: Fields,
  before?: (attemptId: string) => Promise<unknown>,
) {
  const { jobId, attemptId, leaseToken } = await claimed(world);
  await before?.(attemptId);
  const input = { attemptId, leaseToken, result: { pages: 1 }, ...more };
  return { jobId, attemptId, answer: await mutate(world.worker.api, "completeAttempt", input, on(type, fields)) };
}

async function retryOf(
  world: World,
  { jobId, attemptId }: { readonly jobId: string; readonly attemptId: string },
  selection: string,
  more: Fields = {},
): Promise<Given> {
  return mutate(world.ann, "retryJob", { jobId, afterAttemptId: attemptId, ...more }, selection);
}

export const refusals: Readonly<Record<string, readonly [code: string, provoke: Provoke]>> = {
  IdempotencyConflict: [
    "IDEMPOTENCY_CONFLICT",
    async (world, fields) => {
      const given = intent();
      const { job } = await world.ann.create(given);
      const other = { ...given, input: { text: "Bill", copies: 2 } };
      return { jobId: job!.id, answer: await mutate(world.ann, "createJob", other, on("IdempotencyConflict", fields)) };
    },
  ],
  InvalidInput: [
    "INVALID_INPUT",
    async (world, fields) => {
      const given = intent({ input: { text: 7 }, priority: 101 });
      return { answer: await mutate(world.ann, "createJob", given, on("InvalidInput", fields)) };
    },
  ],
  NotFound: [
    "NOT_FOUND",
    async (world, fields) => {
      const given = { jobId: "job_01h455vb4pex5vsknk084sn02q" };
      return { answer: await mutate(world.ann, "cancelJob", given, on("NotFound", fields)) };
    },
  ],
  AttemptInFlight: [
    "ATTEMPT_IN_FLIGHT",
    async (world, fields) => {
      const unknown = await world.in("UNKNOWN");
      return { ...unknown, answer: await retryOf(world, unknown, on("AttemptInFlight", fields)) };
    },
  ],
  RetryOutdated: [
    "RETRY_OUTDATED",
    async (world, fields) => {
      const { jobId, attemptId } = await world.fresh("FAILED");
      const newer = (await world.ann.retry(jobId, attemptId)).attempt!.id;
      await world.ann.cancelAttempt(newer);
      const answer = await retryOf(world, { jobId, attemptId }, on("RetryOutdated", fields));
      return { jobId, attemptId: newer, answer };
    },
  ],
  JobClosed: [
    "JOB_CLOSED",
    async (world, fields) => {
      const done = await world.in("SUCCEEDED");
      return { ...done, answer: await retryOf(world, done, on("JobClosed", fields)) };
    },
  ],
  ProviderNotCertified: [
    "PROVIDER_NOT_CERTIFIED",
    async (world, fields) => {
      const failed = await world.in("FAILED");
      return {
        ...failed,
        answer: await retryOf(world, failed, on("ProviderNotCertified", fields), { provider: "laser" }),
      };
    },
  ],
  AttemptClosed: [
    "ATTEMPT_CLOSED",
    async (world, fields) => {
      const { attemptId } = await world.in("SUCCEEDED");
      const answer = await mutate(world.operator, "cancelAttempt", { attemptId }, on("AttemptClosed", fields));
      return { attemptId, answer };
    },
  ],
  LookupUnavailable: [
    "LOOKUP_UNAVAILABLE",
    async (world, fields) => {
      const { attemptId } = await world.in("UNKNOWN");
      const answer = await mutate(world.operator, "lookUpAttempt", { attemptId }, on("LookupUnavailable", fields));
      return { attemptId, answer };
    },
  ],
  LeaseLost: ["LEASE_LOST", (world, fields) => complete(world, "LeaseLost", fields, { leaseToken: "another" })],
  ResultDiscarded: [
    "RESULT_DISCARDED",
    (world, fields) =>
      complete(world, "ResultDiscarded", fields, {}, (attemptId) => world.operator.cancelAttempt(attemptId)),
  ],
  ResultRejected: [
    "RESULT_REJECTED",
    (world, fields) => complete(world, "ResultRejected", fields, { result: { pages: 0 } }),
  ],
  KeyInUse: [
    "KEY_IN_USE",
    async (world, fields) => {
      const { jobId } = await world.in("SUCCEEDED");
      const idempotencyKey = await look<string>(world.ann, jobId, "idempotencyKey");
      const given = { ownerId: "ann", idempotencyKey, reason: "why not" };
      return { jobId, answer: await mutate(world.operator, "releaseKey", given, on("KeyInUse", fields)) };
    },
  ],
};
