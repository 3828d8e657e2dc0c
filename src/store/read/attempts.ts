/** Reads attempts: by id, by job, and by pages in the order of their last change. Each query carries the owner's scope itself (I11), and of-owner.ts looks once more. */
import { and, count, eq, getColumns, inArray, lt, type SQL } from "drizzle-orm";
import type { Attempt } from "../../domain/job.ts";
import type { Scope } from "../commands.ts";
import type { Database } from "../connect.ts";
import { type AttemptFilter, maxCounted, type Page, type PageRequest } from "../pages.ts";
import { toAttempt } from "../rows.ts";
import { attempts, jobs } from "../tables.ts";
import { anyOf } from "./any-of.ts";
import { ofOwner } from "./of-owner.ts";
import { pageQuery, toPage } from "./page.ts";

const keyset = { at: attempts.stateChangedAt, id: attempts.id };

function matches(filter: AttemptFilter): SQL | undefined {
  const { states, operation, provider, ownerId, stateChangedBefore, effectUncertain } = filter;
  return and(
    states === undefined ? undefined : inArray(attempts.state, [...states]),
    operation === undefined ? undefined : eq(attempts.operation, operation),
    provider === undefined ? undefined : eq(attempts.provider, provider),
    ownerId === undefined ? undefined : eq(jobs.ownerId, ownerId),
    stateChangedBefore === undefined ? undefined : lt(attempts.stateChangedAt, stateChangedBefore),
    effectUncertain === undefined ? undefined : eq(attempts.effectUncertain, effectUncertain),
  );
}

export async function readAttempts(db: Database, ids: readonly string[], scope: Scope): Promise<Attempt[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select(getColumns(attempts))
    .from(attempts)
    .innerJoin(jobs, eq(jobs.id, attempts.jobId))
    .where(and(anyOf(attempts.id, ids), scope === null ? undefined : eq(jobs.ownerId, scope)));
  return ofOwner(scope, rows).map(toAttempt);
}

export async function readAttemptPage(db: Database, filter: AttemptFilter, page: PageRequest): Promise<Page<Attempt>> {
  const { where, orderBy, limit } = pageQuery(keyset, page);
  const rows = await db
    .select(getColumns(attempts))
    .from(attempts)
    .innerJoin(jobs, eq(jobs.id, attempts.jobId))
    .where(and(matches(filter), where))
    .orderBy(...orderBy)
    .limit(limit);
  return toPage(ofOwner(filter.ownerId, rows).map(toAttempt), page);
}

export async function countAttempts(db: Database, filter: AttemptFilter): Promise<number | null> {
  const some = db
    .select({ id: attempts.id })
    .from(attempts)
    .innerJoin(jobs, eq(jobs.id, attempts.jobId))
    .where(matches(filter))
    .limit(maxCounted + 1)
    .as("some");
  const [row] = await db.select({ counted: count() }).from(some);
  return row === undefined || row.counted > maxCounted ? null : row.counted;
}
