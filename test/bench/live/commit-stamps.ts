/** When PostgreSQL committed each event, by its own clock, and how long after that the event arrived. It needs track_commit_timestamp. */
import type postgres from "postgres";
import type { BenchJob } from "./bench-jobs.ts";
import type { Arrivals } from "./following.ts";

/** The moment at which the commit began: what the disk takes to keep it is still to come, so times from here are the longest. */
export async function readCommits(
  sql: postgres.Sql,
  jobs: readonly BenchJob[],
  after: readonly number[],
): Promise<Map<number, number>[]> {
  const rows = await sql<{ ord: number; number: number; at: number }[]>`
    select f.ord::int, e.number, extract(epoch from pg_xact_commit_timestamp(e.xmin))::float8 * 1000 as at
    from unnest(${jobs.map((job) => job.uuid)}::uuid[], ${after as number[]}::int[]) with ordinality as f(job_id, number, ord)
    join job_events e on e.job_id = f.job_id and e.number > f.number`;
  const commits = jobs.map(() => new Map<number, number>());
  for (const { ord, number, at } of rows) commits[ord - 1]?.set(number, at);
  return commits;
}

/** Events that the jobs have. */
export async function readEventCounts(sql: postgres.Sql, jobs: readonly BenchJob[]): Promise<number[]> {
  const rows = await sql<{ eventCount: number }[]>`
    select j.event_count as "eventCount" from unnest(${jobs.map((job) => job.uuid)}::uuid[]) with ordinality as f(id, ord)
    join jobs j on j.id = f.id order by f.ord`;
  return rows.map((row) => row.eventCount);
}

/** Milliseconds from commit to arrival of each frame; `jobOf` says which of the jobs a target is. */
export function delaysOf(
  arrivals: Arrivals,
  commits: readonly ReadonlyMap<number, number>[],
  jobOf: (target: number) => number,
): number[] {
  const delays: number[] = [];
  for (const [index, target] of arrivals.target.entries()) {
    const committedMs = commits[jobOf(target)]?.get(arrivals.number[index] ?? 0);
    if (committedMs === undefined) continue;
    delays.push((arrivals.atMs[index] ?? 0) - committedMs);
  }
  return delays;
}
