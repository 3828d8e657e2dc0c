/** Everything that is stored about jobs, for comparing before and after. It judges nothing. */
import type postgres from "postgres";

type Rows = Record<string, unknown>[];

export interface Snapshot {
  readonly jobs: Rows;
  readonly attempts: Rows;
  readonly events: Rows;
  readonly certifications: Rows;
  readonly auditLog: Rows;
  readonly creationRates: Rows;
}

export async function snapshotTables(sql: postgres.Sql): Promise<Snapshot> {
  return {
    jobs: [...(await sql`select * from jobs order by id`)],
    attempts: [...(await sql`select * from attempts order by id`)],
    events: [...(await sql`select * from job_events order by job_id, number`)],
    certifications: [...(await sql`select * from certifications order by id`)],
    auditLog: [...(await sql`select * from audit_log order by id`)],
    creationRates: [...(await sql`select * from creation_rates order by owner_id, per_ms`)],
  };
}

export async function snapshotJob(sql: postgres.Sql, jobId: string): Promise<Snapshot> {
  return {
    jobs: [...(await sql`select * from jobs where id = ${jobId}`)],
    attempts: [...(await sql`select * from attempts where job_id = ${jobId} order by number`)],
    events: [...(await sql`select * from job_events where job_id = ${jobId} order by number`)],
    certifications: [],
    auditLog: [],
    creationRates: [],
  };
}
