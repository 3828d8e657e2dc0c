/** Takes from a closed job what retention takes: input, metadata, result and failure. Key, state, attempts and events stay. */
import type postgres from "postgres";

export async function stripJob(session: postgres.Sql | postgres.TransactionSql, jobId: string): Promise<void> {
  await session`
    update jobs set input = null, metadata = null, result = null, failure = null, traceparent = null, purged_at = onejob_now()
    where id = ${jobId}`;
}
