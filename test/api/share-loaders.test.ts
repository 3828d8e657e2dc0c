/** Followers of a job share what is read for them, each within their own scope (I11), and only for as long as it is true. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Attempt, Job } from "../../src/domain/job.ts";
import type { RequestContext } from "../../src/graphql/context.ts";
import { shareLoaders } from "../../src/graphql/renew-loaders.ts";
import { createOne } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
let snapshot: { readonly job: Job; readonly attempts: readonly Attempt[] };

async function read(jobId: string) {
  const [job] = await db.store.read.jobs([jobId], null);
  if (job === undefined) throw new Error(`There is no job ${jobId}.`);
  return { job, attempts: await db.store.read.attemptsOfJobs([jobId]) };
}

beforeAll(async () => {
  db = await openTestStore();
  snapshot = await read(await createOne(db.store));
});
afterAll(() => db.close());

/** What shareLoaders asks of a context. */
function loadersFor(ownerId: string, role: "OWNER" | "OPERATOR" | null, shown = snapshot, onlyJobId?: string) {
  const onlyJob = onlyJobId === undefined ? null : { jobId: onlyJobId, mayRetry: true, mayCancel: true };
  const viewer = { ownerId, roles: new Set(role === null ? [] : [role]), providers: null, onlyJob };
  const catalog = { operations: new Map(), providers: new Map() };
  const context = { viewer, store: db.store, catalog } as unknown as RequestContext;
  shareLoaders(context, shown);
  return context.loaders;
}

it("two followers of one owner share their loaders, another owner and an operator have their own", async () => {
  const { id } = snapshot.job;
  const ann = loadersFor("ann", "OWNER");
  expect(loadersFor("ann", "OWNER")).toBe(ann);
  const [bob, olga] = [loadersFor("bob", "OWNER"), loadersFor("ann", "OPERATOR")];
  expect(new Set([ann, bob, olga]).size).toBe(3);
  expect(await olga.visibleJob.load(id)).toMatchObject({ id });
  expect(await ann.visibleJob.load(id)).toMatchObject({ id });
  expect(await bob.visibleJob.load(id)).toBeNull();
});

it("the next snapshot of the job has loaders of its own, which know it and nothing older", async () => {
  const before = loadersFor("ann", "OWNER");
  const next = await read(snapshot.job.id);
  const after = loadersFor("ann", "OWNER", next);
  expect(after).not.toBe(before);
  expect(await after.job.load(next.job.id)).toBe(next.job);
  expect(await before.job.load(next.job.id)).toBe(snapshot.job);
});

it("tokens for the job share loaders that name no other job of the owner, and not the owner's", async () => {
  const { id } = snapshot.job;
  const other = await read(await createOne(db.store, { idempotencyKey: "another" }));
  const ann = loadersFor("ann", "OWNER");
  const browser = loadersFor("ann", null, snapshot, id);
  expect(browser).not.toBe(ann);
  expect(loadersFor("ann", null, snapshot, id)).toBe(browser);
  expect(loadersFor("ann", null, snapshot, other.job.id)).not.toBe(browser);
  expect(await ann.visibleJob.load(other.job.id)).toMatchObject({ id: other.job.id });
  expect(await ann.visibleAttempt.load(other.job.latestAttempt)).toMatchObject({ jobId: other.job.id });
  expect(await browser.visibleJob.load(other.job.id)).toBeNull();
  expect(await browser.visibleAttempt.load(other.job.latestAttempt)).toBeNull();
  expect(await browser.visibleJob.load(id)).toMatchObject({ id });
  expect(await browser.visibleAttempt.load(snapshot.job.latestAttempt)).toMatchObject({ jobId: id });
});
