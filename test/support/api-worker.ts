/** A worker over the API whose provider is under the test's control: it does what it is told, and keeps a ledger of what it was handed. */
import { randomUUID } from "node:crypto";
import type { Answer, ClaimView } from "./api-answers.ts";
import { type Api, connectApi, type Fields } from "./api-client.ts";
import type { Caller } from "./api-config.ts";

/** An attempt in the worker's hands, with the calls about it. */
export interface Held {
  readonly attempt: ClaimView["attempt"];
  readonly claim: ClaimView;
  running(providerRequestId?: string): Promise<Answer>;
  beat(progress?: Fields): Promise<Answer>;
  complete(result: unknown): Promise<Answer>;
  fail(certainty: "DEFINITE" | "UNCERTAIN", more?: Fields): Promise<Answer>;
}

export interface Worker {
  readonly api: Api;
  /** Job ids, once for each attempt that was handed out: what reached the provider. */
  readonly ledger: readonly string[];
  claim(input?: Fields): Promise<readonly ClaimView[]>;
  /** Takes the waiting attempt of this job; others that wait as well are kept for those who ask for them later. */
  take(jobId: string): Promise<Held>;
  /** Whether there is anything of this job to take now. */
  finds(jobId: string): Promise<boolean>;
}

export function holding(api: Api, claim: ClaimView): Held {
  const { attempt, leaseToken } = claim;
  const about = { attemptId: attempt.id, leaseToken };
  return {
    attempt,
    claim,
    running: (providerRequestId) =>
      api.send("mark-attempt-running", { ...about, ...(providerRequestId && { providerRequestId }) }),
    beat: (progress) => api.send("heartbeat-attempt", { ...about, ...(progress && { progress }) }),
    complete: (result) => api.send("complete-attempt", { ...about, result }),
    fail: (certainty, more = {}) =>
      api.send("fail-attempt", { ...about, certainty, code: "JAMMED", message: "Paper jam.", ...more }),
  };
}

export function startWorker(url: string, caller: Caller = "worker"): Worker {
  const api = connectApi(url, caller);
  const ledger: string[] = [];
  const kept: ClaimView[] = [];

  async function claim(input: Fields = {}): Promise<readonly ClaimView[]> {
    const providers = caller === "inkjetWorker" ? ["inkjet"] : ["inkjet", "laser", "plotter"];
    const { claims } = await api.send("claim-attempts", { workerId: "worker-1", providers, ...input });
    if (claims === undefined) throw new Error("The claim was refused.");
    ledger.push(...claims.map(({ attempt }) => attempt.job.id));
    return claims;
  }

  async function find(jobId: string): Promise<ClaimView | undefined> {
    const matches = ({ attempt }: ClaimView) => attempt.job.id === jobId;
    if (!kept.some(matches)) kept.push(...(await claim({ limit: 100, claimKey: randomUUID() })));
    const index = kept.findIndex(matches);
    return index === -1 ? undefined : kept.splice(index, 1)[0];
  }

  return {
    api,
    ledger,
    claim,
    async take(jobId) {
      const found = await find(jobId);
      if (found === undefined) throw new Error(`No attempt of ${jobId} is waiting.`);
      return holding(api, found);
    },
    finds: async (jobId) => (await find(jobId)) !== undefined,
  };
}

/** How often an attempt of the job was handed to a provider. */
export function timesHanded(worker: Worker, jobId: string): number {
  return worker.ledger.filter((id) => id === jobId).length;
}
