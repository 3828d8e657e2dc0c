/**
 * The named points at which a step may be held, so that its commands really meet, or are cut off: a session outside holds
 * what they need. It waits for the database's own account of who waits, within bounds; no verdict hangs on the time.
 */
import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";

/** Before the job's row is locked; after it was changed, before its attempt is; after both, before the event is written. */
export const points = ["job", "attempt", "event"] as const;
export type Point = (typeof points)[number];

export interface Hold {
  readonly point: Point;
  readonly jobId: string;
  readonly attemptId: string;
  /** Number of the event that the next change of state will write. */
  readonly nextEvent: number;
}

export interface HeldPoint {
  release(): Promise<void>;
}

function lock(session: postgres.Sql, { point, jobId, attemptId, nextEvent }: Hold): Promise<unknown> {
  switch (point) {
    case "job":
      return session`select from jobs where id = ${jobId} for update`;
    case "attempt":
      return session`select from attempts where id = ${attemptId} for update`;
    case "event":
      // Taken and never committed: whoever writes this number waits to see what becomes of it. Triggers would refuse it.
      return session`insert into job_events (job_id, number, type, job_state, cause, at)
        values (${jobId}, ${nextEvent}, 'JOB_FAILED', 'FAILED', 'POLICY', onejob_now())`;
  }
}

export async function holdPoint(sql: postgres.Sql, hold: Hold): Promise<HeldPoint> {
  const session = await sql.reserve();
  await session`begin`;
  await session`set local session_replication_role = replica`;
  await lock(session, hold);
  return {
    async release() {
      await session`rollback`;
      session.release();
    },
  };
}

const blockedSessions = (sql: postgres.Sql) => sql<{ pid: number }[]>`
  select pid from pg_stat_activity
  where datname = current_database() and application_name = 'onejob' and state = 'active'
    and wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple', 'advisory', 'spectoken')`;

const maxLooks = 60;

/** Until every command still open is seen waiting for a lock, or the looks are used up. Answers with the sessions that wait. */
export async function untilBlocked(sql: postgres.Sql, countOpen: () => number): Promise<number[]> {
  let pids: number[] = [];
  for (let look = 0; look < maxLooks && countOpen() > 0; look += 1) {
    pids = (await blockedSessions(sql)).map((row) => row.pid);
    if (pids.length > 0 && pids.length >= countOpen()) break;
    await pause(1);
  }
  return pids;
}
