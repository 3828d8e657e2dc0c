/** Forces the order in which two calls reach a job: a session outside holds its row, and each call is seen waiting before the next. */
import type postgres from "postgres";
import { waitUntil } from "./wait-until.ts";

export interface HeldJob {
  /** Starts a call and returns once it is seen waiting for the row. The promise of its answer is wrapped, so that awaiting this does not await it. */
  line<Answer>(call: () => Promise<Answer>): Promise<{ answer: Promise<Answer> }>;
  /** Lets the row go: the calls go on in the order in which they lined up. */
  release(): Promise<void>;
}

/** Sessions of this database that wait for a lock, by PostgreSQL's own account. */
export async function countBlocked(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ blocked: number }[]>`
    select count(*)::int as blocked from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`;
  return row?.blocked ?? 0;
}

export async function holdJob(sql: postgres.Sql, jobId: string): Promise<HeldJob> {
  let letGo = (): void => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let ended: Promise<unknown> = Promise.resolve();
  await new Promise<void>((held, failed) => {
    ended = sql
      .begin(async (session) => {
        await session`select from jobs where id = ${jobId} for update`;
        held();
        await released;
      })
      .catch(failed);
  });
  let lined = 0;
  return {
    async line(call) {
      const answer = call();
      answer.catch(() => {});
      lined += 1;
      const expected = lined;
      await waitUntil(`${expected} sessions wait for the job`, async () => (await countBlocked(sql)) >= expected);
      return { answer };
    },
    async release() {
      letGo();
      await ended;
    },
  };
}
