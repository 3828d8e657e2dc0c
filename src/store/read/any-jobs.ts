/**
 * Jobs of whatever owner, and their attempts, as the live feed reads them again and again: one text for any number of ids,
 * so that it stays prepared. Reads on behalf of an owner are in jobs.ts and attempts.ts.
 */
import type { Attempt, Job } from "../../domain/job.ts";
import type { Sql } from "../connect.ts";
import { type AttemptRow, type JobRow, toAttempt, toJob } from "../rows.ts";
import type { Standing } from "../store.ts";

export async function readAnyJobs(sql: Sql, ids: readonly string[]): Promise<Job[]> {
  if (ids.length === 0) return [];
  const rows = await sql<JobRow[]>`select * from jobs where id = any(${ids as string[]}::uuid[])`;
  return rows.map(toJob);
}

export async function readAttemptsOfJobs(sql: Sql, jobIds: readonly string[]): Promise<Attempt[]> {
  if (jobIds.length === 0) return [];
  const rows = await sql<AttemptRow[]>`
    select * from attempts where job_id = any(${jobIds as string[]}::uuid[]) order by job_id, number`;
  return rows.map(toAttempt);
}

export async function readStandings(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, Standing>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; eventCount: number; progressAt: string | null }[]>`
    select j.id, j.event_count, a.progress ->> 'updatedAt' as progress_at
    from jobs j join attempts a on a.id = j.latest_attempt where j.id = any(${ids as string[]}::uuid[])`;
  return new Map(
    rows.map(({ id, eventCount, progressAt }) => [
      id,
      { eventCount, progressAt: progressAt === null ? null : new Date(progressAt) },
    ]),
  );
}
