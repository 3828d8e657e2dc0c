/** Brings a fresh job's first attempt into a given state by the store's own verbs. It checks nothing. */
import { randomUUID } from "node:crypto";
import type { Store } from "../../src/store/store.ts";
import type { WorkerReport } from "../../src/store/worker-commands.ts";
import {
  cancelAttemptCommand,
  cancelJobCommand,
  claimOne,
  createOne,
  failureOf,
  loseOne,
  reportOf,
  retryCommand,
  termsOf,
  worker,
} from "./store-kit.ts";

/** The states of an attempt, and of its job where the attempt's leaves that open. */
export const situations = [
  "QUEUED",
  "STARTING",
  "RUNNING",
  "UNKNOWN",
  "SUCCEEDED",
  "FAILED",
  "FAILED, retried",
  "CANCELLED",
  "CANCELLED with its job",
] as const;
export type Situation = (typeof situations)[number];

export interface Reached {
  readonly jobId: string;
  readonly attemptId: string;
  /** Of this job alone, so that a claim finds no other. */
  readonly provider: string;
  /** With the attempt's token, or a made-up one where nobody has claimed it. */
  readonly report: WorkerReport;
}

/** What a SUCCEEDED job was completed with. */
export const firstResult = { pages: 1 };

export async function reach(store: Store, situation: Situation): Promise<Reached> {
  const provider = `provider-${randomUUID()}`;
  const jobId = await createOne(store, { terms: termsOf(provider), fallbackProviders: [] });
  if (situation === "QUEUED") {
    const [job] = await store.read.jobs([jobId], null);
    const attemptId = job!.latestAttempt;
    return { jobId, attemptId, provider, report: { attemptId, leaseToken: "none", providers: null, actor: worker } };
  }
  const claim = await claimOne(store, [provider]);
  const attemptId = claim.attempt.id;
  const report = reportOf(claim);
  if (situation !== "STARTING") await store.markRunning({ ...report, providerRequestId: null });
  switch (situation) {
    case "UNKNOWN":
      await loseOne(store, claim);
      break;
    case "SUCCEEDED":
      await store.completeAttempt({ ...report, result: firstResult });
      break;
    case "FAILED":
      await store.failAttempt(failureOf(claim));
      break;
    case "FAILED, retried":
      await store.failAttempt(failureOf(claim));
      await store.retryJob(retryCommand(jobId, attemptId));
      break;
    case "CANCELLED":
      await store.cancelAttempt(cancelAttemptCommand(attemptId));
      break;
    case "CANCELLED with its job":
      await store.cancelJob(cancelJobCommand(jobId));
      break;
    case "STARTING":
    case "RUNNING":
      break;
  }
  return { jobId, attemptId, provider, report };
}
