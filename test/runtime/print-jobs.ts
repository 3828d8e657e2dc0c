/** Print jobs on a catalog of a test's own, and what became of them in the real store. */
import type { Attempt, Job } from "../../src/domain/job.ts";
import type { Catalog } from "../../src/domain/operation.ts";
import { termsFor } from "../../src/domain/terms.ts";
import type { Log, LogFields } from "../../src/runtime/log.ts";
import type { CreateJob } from "../../src/store/commands.ts";
import type { Store } from "../../src/store/store.ts";
import type { ClaimAttempts } from "../../src/store/worker-commands.ts";
import { createOne } from "../support/store-kit.ts";
import { waitUntil } from "../support/wait-until.ts";

/** A job on the catalog's first provider, or on the one named, under the catalog's terms; answers with its UUID. */
export async function createPrint(
  store: Store,
  catalog: Catalog,
  changes: Partial<CreateJob> & { readonly provider?: string } = {},
): Promise<string> {
  const [operation] = catalog.operations.values();
  const { name = "", providers = [] } = operation ?? {};
  const { provider = providers[0] ?? "", ...command } = changes;
  const terms = termsFor(catalog, name, provider);
  if (terms === null) throw new Error(`The catalog cannot print on "${provider}".`);
  const fallbackProviders = providers.filter((other) => other !== provider);
  return await createOne(store, { operation: name, fallbackProviders, terms, ...command });
}

export async function readJob(store: Store, jobId: string): Promise<Job> {
  const [job] = await store.read.jobs([jobId], null);
  if (job === undefined) throw new Error(`There is no job ${jobId}.`);
  return job;
}

/** Waits until the job is in the state; answers with it and its attempts. */
export async function reach(
  store: Store,
  jobId: string,
  state: Job["state"],
): Promise<{ job: Job; attempts: Attempt[] }> {
  const job = await waitUntil(`the job is ${state}`, async () => {
    const now = await readJob(store, jobId);
    return now.state === state && now;
  });
  return { job, attempts: await store.read.attemptsOfJobs([jobId]) };
}

/** Waits until a provider has acknowledged the job's newest attempt. */
export async function reachAcknowledged(store: Store, jobId: string): Promise<Attempt> {
  return await waitUntil("the attempt runs", async () => {
    const newest = (await store.read.attemptsOfJobs([jobId])).at(-1);
    return newest?.state === "RUNNING" && newest;
  });
}

/** A worker's claim of what waits under the catalog. */
export function claimUnder(catalog: Catalog, changes: Partial<ClaimAttempts> = {}): ClaimAttempts {
  const [providers, operations] = [[...catalog.providers.keys()], [...catalog.operations.keys()]];
  return {
    workerId: "worker-1",
    claimedBy: "worker-token",
    providers,
    operations,
    limit: 1,
    claimKey: null,
    ...changes,
  };
}

export interface KeptLog extends Log {
  readonly entries: readonly { readonly event: string; readonly fields: LogFields }[];
  has(event: string): boolean;
}

/** Keeps what is logged, for tests that wait for it. */
export function keepLog(): KeptLog {
  const entries: { event: string; fields: LogFields }[] = [];
  const keep = (event: string, fields: LogFields = {}) => {
    entries.push({ event, fields });
  };
  return {
    entries,
    has: (event) => entries.some((entry) => entry.event === event),
    info: keep,
    warn: keep,
    error: keep,
  };
}
