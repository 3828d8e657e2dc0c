/** Every row of a job as PostgreSQL holds it, with the transaction that wrote it: equal only if nothing was written, not even the same again. */
import type postgres from "postgres";

export async function readRows(sql: postgres.Sql, jobId: string): Promise<string[]> {
  const rows = await sql<{ row: string }[]>`
    select concat_ws(' ', 'job', j.xmin, j.ctid, j::text) as row from jobs j where j.id = ${jobId}
    union all select concat_ws(' ', 'attempt', a.xmin, a.ctid, a::text) from attempts a where a.job_id = ${jobId}
    union all select concat_ws(' ', 'event', e.xmin, e.ctid, e::text) from job_events e where e.job_id = ${jobId}
    order by 1`;
  return rows.map((one) => one.row);
}
