/**
 * What every race test stands on: two stores on one database, as two server processes are, and the invariants checked
 * over all rows after each test. The order of the calls is forced by hold-job.ts.
 */
import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Attempt, Job } from "../../src/domain/job.ts";
import type { CreateJob } from "../../src/store/commands.ts";
import type { Store } from "../../src/store/store.ts";
import type { Claim } from "../../src/store/worker-commands.ts";
import { checkInvariants } from "./check-invariants.ts";
import { claimOne, createOne, termsOf } from "./store-kit.ts";
import { openTestStore, type TestStore } from "./test-store.ts";

export interface Race {
  /** Two processes' stores. */
  readonly store: Store;
  readonly other: Store;
  /** Outside of both. */
  readonly sql: postgres.Sql;
  readonly url: string;
  openAnother(): Promise<Store>;
  /** A job on a provider of its own, so that no other test's job is claimed in its stead. */
  queueJob(changes?: Partial<CreateJob>): Promise<{ jobId: string; attemptId: string; provider: string }>;
  /** The same, claimed. */
  startJob(changes?: Partial<CreateJob>): Promise<{ jobId: string; claim: Claim }>;
  /** Claims the waiting attempt of a job. */
  claimJob(jobId: string): Promise<Claim>;
  job(jobId: string): Promise<Job>;
  /** By number. */
  attempts(jobId: string): Promise<Attempt[]>;
  /** The types of a job's events, in order. */
  events(jobId: string): Promise<string[]>;
}

/** On a loaded machine a call may stand in line for long: only a deadlock or a lost release may end its wait. */
const lockTimeoutMs = 25_000;

/** Registers the hooks of a test file. Its members are there from the first test on. */
export function openRace(): Race {
  let db: TestStore;
  let other: Store;
  async function job(jobId: string): Promise<Job> {
    const [found] = await db.store.read.jobs([jobId], null);
    if (found === undefined) throw new Error(`There is no job ${jobId}.`);
    return found;
  }
  async function queueJob(changes: Partial<CreateJob> = {}) {
    const provider = `inkjet-${randomUUID()}`;
    const jobId = await createOne(db.store, { terms: termsOf(provider), fallbackProviders: [], ...changes });
    return { jobId, attemptId: (await job(jobId)).latestAttempt, provider };
  }
  async function claimJob(jobId: string): Promise<Claim> {
    const [newest] = await db.store.read.attempts([(await job(jobId)).latestAttempt], null);
    return claimOne(db.store, newest === undefined ? [] : [newest.provider]);
  }
  beforeAll(async () => {
    db = await openTestStore({ lockTimeoutMs });
    other = await db.openAnother();
  });
  afterEach(async () => {
    expect(await checkInvariants(db.sql)).toEqual([]);
  });
  afterAll(() => db.close());
  return {
    get store() {
      return db.store;
    },
    get other() {
      return other;
    },
    get sql() {
      return db.sql;
    },
    get url() {
      return db.url;
    },
    openAnother: () => db.openAnother(),
    queueJob,
    async startJob(changes) {
      const { jobId } = await queueJob(changes);
      return { jobId, claim: await claimJob(jobId) };
    },
    claimJob,
    job,
    attempts: (jobId) => db.store.read.attemptsOfJobs([jobId]),
    async events(jobId) {
      const events = await db.store.read.events([{ jobId, number: 0 }], 1_000);
      return events.map((event) => event.type);
    },
  };
}
