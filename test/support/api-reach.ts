/** Brings a new job into a state through the API alone, as its owner, a worker and an operator would. */
import { randomUUID } from "node:crypto";
import type { AttemptView, JobView } from "./api-answers.ts";
import type { Fields } from "./api-client.ts";
import type { ApiServer } from "./api-server.ts";
import type { Held } from "./api-worker.ts";
import { waitUntil } from "./wait-until.ts";

export const jobStates = ["QUEUED", "RUNNING", "UNKNOWN", "FAILED", "SUCCEEDED", "CANCELLED"] as const;
export type JobStateName = (typeof jobStates)[number];

/** A fresh job of ann's, for an operation whose input is a sheet. */
export async function newJob(server: ApiServer, operation = "print", more: Fields = {}): Promise<JobView> {
  const answer = await server.ann.create({ idempotencyKey: randomUUID(), operation, input: { text: "Menu" }, ...more });
  if (answer.job === undefined) throw new Error(`createJob was refused: ${JSON.stringify(answer)}`);
  return answer.job;
}

export interface Claimed {
  readonly job: JobView;
  readonly held: Held;
}

export async function claimedJob(server: ApiServer, operation = "print", more: Fields = {}): Promise<Claimed> {
  const job = await newJob(server, operation, more);
  return { job, held: await server.worker.take(job.id) };
}

/** A job whose only attempt has gone past its deadline without a word. */
export async function timedOutJob(server: ApiServer, operation = "quick", more: Fields = {}): Promise<Claimed> {
  const claimed = await claimedJob(server, operation, more);
  await waitUntil("the deadline has made the job UNKNOWN", async () => {
    return (await server.ann.job(claimed.job.id)).state === "UNKNOWN";
  });
  return claimed;
}

export interface Reached {
  readonly jobId: string;
  readonly attemptId: string;
  /** Null where no worker ever had it. */
  readonly held: Held | null;
}

export async function reach(server: ApiServer, state: JobStateName, more: Fields = {}): Promise<Reached> {
  const job = await newJob(server, "print", more);
  const jobId = job.id;
  const attemptId = job.latestAttempt.id;
  if (state === "QUEUED") return { jobId, attemptId, held: null };
  if (state === "CANCELLED") {
    await server.ann.cancelJob(jobId);
    return { jobId, attemptId, held: null };
  }
  const held = await server.worker.take(jobId);
  if (state === "RUNNING") await held.running();
  if (state === "UNKNOWN") await held.fail("UNCERTAIN");
  if (state === "FAILED") await held.fail("DEFINITE", { remedy: "NONE" });
  if (state === "SUCCEEDED") await held.complete({ pages: 1 });
  const now = await server.ann.job(jobId);
  if (now.state !== state) throw new Error(`The job is ${now.state}, not ${state}.`);
  return { jobId, attemptId, held };
}

/** The story up to the fallback: attempt 1 UNKNOWN on the inkjet, cancelled by an operator, attempt 2 in a worker's hands on the laser. */
export async function takenOver(server: ApiServer, operation = "quick"): Promise<Claimed & { readonly second: Held }> {
  const { job, held } = await timedOutJob(server, operation);
  const cancelled = await server.operator.cancelAttempt(held.attempt.id, "the inkjet is silent");
  if (cancelled.__typename !== "CancelAttemptSuccess") throw new Error(`cancelAttempt: ${JSON.stringify(cancelled)}`);
  const override = { provider: "laser", overrideGate: true, reason: "the owner waits" };
  const retried = await server.operator.retry(job.id, held.attempt.id, override);
  if (retried.__typename !== "RetryJobSuccess") throw new Error(`retryJob: ${JSON.stringify(retried)}`);
  return { job, held, second: await server.worker.take(job.id) };
}

/** How attempts stand, in a line each. */
export function standing(attempts: readonly AttemptView[]): string[] {
  return attempts.map(({ number, providerName, state }) => `${number} ${providerName} ${state}`);
}
