/** The jobs that bench:live follows, made through a store of its own, and what changes the fenced ones. It measures nothing. */

import type { CreateJob } from "../../../src/store/commands.ts";
import { encodeId } from "../../../src/store/ids.ts";
import type { Store } from "../../../src/store/store.ts";
import { createCommand, operator, termsOf, worker } from "../../support/store-kit.ts";
import { localOwner, operations, providers } from "./bench-config.ts";
import { callApi } from "./call-api.ts";

export interface BenchJob {
  /** As the API names it. */
  readonly id: string;
  readonly uuid: string;
}

/** A job whose only attempt was cancelled in its worker's hands: each distinct result that the worker still sends is one event. */
export interface FencedJob extends BenchJob {
  readonly attemptId: string;
  readonly leaseToken: string;
}

const longMs = 3_600_000;
const claimedAtOnce = 100;

export function jobCommand(use: keyof typeof providers): CreateJob {
  return createCommand({
    ownerId: localOwner,
    operation: operations[use],
    fallbackProviders: [],
    terms: { ...termsOf(providers[use]), attemptTimeoutMs: longMs, leaseMs: longMs },
  });
}

export async function createJobs(store: Store, use: keyof typeof providers, count: number): Promise<BenchJob[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => store.createJob(jobCommand(use))));
  return answers.map((answer) => {
    if (!answer.created) throw new Error("A key was taken.");
    return { uuid: answer.jobId, id: encodeId("job", answer.jobId) };
  });
}

export async function createFencedJobs(store: Store, count: number): Promise<FencedJob[]> {
  await createJobs(store, "fenced", count);
  const jobs: FencedJob[] = [];
  while (jobs.length < count) {
    const claims = await store.claimAttempts({
      workerId: "worker-1",
      claimedBy: worker.name,
      providers: [providers.fenced],
      operations: null,
      limit: claimedAtOnce,
      claimKey: null,
    });
    if (claims.length === 0) throw new Error("Attempts are missing.");
    for (const { attempt, leaseToken } of claims) {
      jobs.push({ uuid: attempt.jobId, id: encodeId("job", attempt.jobId), attemptId: attempt.id, leaseToken });
    }
  }
  const ownerMayCancel = () => true;
  await Promise.all(
    jobs.map(({ attemptId }) =>
      store.cancelAttempt({
        attemptId,
        scope: null,
        isOperator: true,
        ownerMayCancel,
        reason: null,
        actor: operator,
      }),
    ),
  );
  return jobs;
}

/** Makes one event of a fenced job. */
export type Change = (job: FencedJob) => Promise<void>;

let results = 0;

/** Committed by this process, so that the server learns of it through NOTIFY as from any other server. */
export function changeByStore(store: Store): Change {
  return async ({ attemptId, leaseToken }) => {
    results += 1;
    const answer = await store.completeAttempt({
      attemptId,
      leaseToken,
      providers: null,
      actor: worker,
      result: results,
    });
    if (answer.kind !== "discarded") throw new Error(`A late result was ${answer.kind}.`);
  };
}

const completion = `mutation ($input: CompleteAttemptInput!) { completeAttempt(input: $input) { __typename } }`;

/** Committed by the server that delivers. */
export function changeByApi(url: string): Change {
  return async ({ attemptId, leaseToken }) => {
    results += 1;
    const input = { attemptId: encodeId("att", attemptId), leaseToken, result: results };
    await callApi(url, completion, { input }, "ResultDiscarded");
  };
}
