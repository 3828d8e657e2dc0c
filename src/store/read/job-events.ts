/** Reads the logs of many jobs in one query, each after its own number. Order and completeness follow from the numbers (I8). */
import type { JobEvent } from "../../domain/job.ts";
import type { Sql } from "../connect.ts";
import { type EventRow, toEvent } from "../rows.ts";

/** In the order of the jobs asked for, then by number; of each job at most `limit`, the first ones or with `newest` the last. */
export async function readEvents(
  sql: Sql,
  after: readonly { jobId: string; number: number }[],
  limit: number,
  newest: boolean,
): Promise<JobEvent[]> {
  if (after.length === 0) return [];
  const rows = await sql<EventRow[]>`
    select e.* from unnest(${after.map((one) => one.jobId)}::uuid[], ${after.map((one) => one.number)}::int[])
      with ordinality as f(job_id, number, ord),
    lateral (
      select * from job_events e where e.job_id = f.job_id and e.number > f.number
      order by e.number ${newest ? sql`desc` : sql``} limit ${limit}
    ) e
    order by f.ord, e.number`;
  return rows.map((row) => toEvent(row));
}
