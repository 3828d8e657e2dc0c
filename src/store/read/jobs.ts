/** Reads jobs: by id, by key, and by pages. Each query carries the owner's scope itself (I11), and of-owner.ts looks once more. */
import { and, asc, count, eq, gt, inArray, lt, notInArray, type SQL, sql } from "drizzle-orm";
import type { Job } from "../../domain/job.ts";
import { closedJobStates } from "../../domain/lifecycle.ts";
import type { KeyHolder } from "../commands.ts";
import type { Database } from "../connect.ts";
import { type JobFilter, maxCounted, type Page, type PageRequest } from "../pages.ts";
import { toJob } from "../rows.ts";
import type { JobHead } from "../store.ts";
import { jobEvents, jobs } from "../tables.ts";
import { anyOf } from "./any-of.ts";
import { ofOwner } from "./of-owner.ts";
import { pageQuery, toPage } from "./page.ts";

const keyset = { at: jobs.createdAt, id: jobs.id };

function matches(filter: JobFilter): SQL | undefined {
  const { states, operation, provider, ownerId, idempotencyKey, createdAfter, createdBefore } = filter;
  return and(
    states === undefined ? undefined : inArray(jobs.state, [...states]),
    operation === undefined ? undefined : eq(jobs.operation, operation),
    provider === undefined ? undefined : eq(jobs.provider, provider),
    ownerId === undefined ? undefined : eq(jobs.ownerId, ownerId),
    idempotencyKey === undefined ? undefined : eq(jobs.idempotencyKey, idempotencyKey),
    createdAfter === undefined ? undefined : gt(jobs.createdAt, createdAfter),
    createdBefore === undefined ? undefined : lt(jobs.createdAt, createdBefore),
  );
}

export async function readJobs(db: Database, ids: readonly string[], ownerId: string): Promise<Job[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select()
    .from(jobs)
    .where(and(anyOf(jobs.id, ids), eq(jobs.ownerId, ownerId)));
  return ofOwner(ownerId, rows).map(toJob);
}

export async function readJobHeads(db: Database, ids: readonly string[], withStates: boolean): Promise<JobHead[]> {
  if (ids.length === 0) return [];
  const { id, ownerId, idempotencyKey, operation, provider, createdAt } = jobs;
  const seen = db.selectDistinct({ state: jobEvents.jobState }).from(jobEvents).where(eq(jobEvents.jobId, jobs.id));
  const states = withStates ? sql<Job["state"][]>`array(${seen})::text[]` : sql<null>`null`;
  return db
    .select({ id, ownerId, idempotencyKey, operation, provider, createdAt, states })
    .from(jobs)
    .where(anyOf(jobs.id, ids));
}

export async function readJobByKey(db: Database, ownerId: string, idempotencyKey: string): Promise<Job | null> {
  const rows = await db
    .select()
    .from(jobs)
    .where(and(eq(jobs.ownerId, ownerId), eq(jobs.idempotencyKey, idempotencyKey)));
  const [row] = ofOwner(ownerId, rows);
  return row === undefined ? null : toJob(row);
}

export async function readKeyHolders(
  db: Database,
  ownerId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KeyHolder>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .select({
      ownerId: jobs.ownerId,
      key: jobs.idempotencyKey,
      holder: { jobId: jobs.id, givenDigest: jobs.givenDigest, resolvedDigest: jobs.resolvedDigest },
    })
    .from(jobs)
    .where(and(eq(jobs.ownerId, ownerId), inArray(jobs.idempotencyKey, [...keys])));
  return new Map(ofOwner(ownerId, rows).map(({ key, holder }) => [key, holder]));
}

export async function readJobPage(db: Database, filter: JobFilter, page: PageRequest): Promise<Page<Job>> {
  const { where, orderBy, limit } = pageQuery(keyset, page);
  const rows = await db
    .select()
    .from(jobs)
    .where(and(matches(filter), where))
    .orderBy(...orderBy)
    .limit(limit);
  return toPage(ofOwner(filter.ownerId, rows).map(toJob), page);
}

export async function readOpenJobIds(db: Database, filter: JobFilter, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: jobs.id, ownerId: jobs.ownerId })
    .from(jobs)
    .where(and(matches(filter), notInArray(jobs.state, [...closedJobStates])))
    .orderBy(asc(jobs.createdAt), asc(jobs.id))
    .limit(limit);
  return ofOwner(filter.ownerId, rows).map((row) => row.id);
}

export async function countJobs(db: Database, filter: JobFilter): Promise<number | null> {
  const some = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(matches(filter))
    .limit(maxCounted + 1)
    .as("some");
  const [row] = await db.select({ counted: count() }).from(some);
  return row === undefined || row.counted > maxCounted ? null : row.counted;
}
