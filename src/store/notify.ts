/** How a writing statement tells other processes what it changed: one NOTIFY for its whole batch. Hints only: the tables are the truth. */
import { type Sql, sqlStateOf } from "./connect.ts";

/** Jobs changed. */
export const changedChannel = "onejob_changed";
/** Jobs changed, and an attempt may be waiting now. */
export const queuedChannel = "onejob_queued";
/** The progress of jobs changed, and nothing else. */
export const progressChannel = "onejob_progress";

/** A process could not send a notification: whoever lives by hints alone must look for itself. */
export const gapChannel = "onejob_gap";

/** Ids that one notification can carry: 36 characters and a comma each, under PostgreSQL's 8,000 bytes with room for the prefix. */
export const maxBatchSize = 200;

/**
 * The column of a final SELECT that sends the notification. `ids` is a query of one column of job ids; it is run once, and
 * never where the SELECT has no row.
 */
export function notification(sql: Sql, channel: string, notifyAs: string | null, ids: ReturnType<Sql>) {
  if (notifyAs === null) return sql`null`;
  return sql`(select pg_notify(${channel}, ${`${notifyAs}:`}::text || string_agg(changed.id::text, ',')) from (${ids}) changed(id) having count(*) > 0)`;
}

/** The same where no job has changed, and yet a waiting attempt may be claimed now: it carries no ids. */
export function wakeUp(sql: Sql, channel: string, notifyAs: string | null) {
  return notifyAs === null ? sql`null` : sql`pg_notify(${channel}, ${`${notifyAs}:`})`;
}

/** Ends the database's side of this user's connections by that name. */
export async function endSessions(sql: Sql, name: string): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${name} and datname = current_database() and usename = current_user`;
}

/** The SQLSTATE of a commit for whose notification PostgreSQL has no room. */
export const notifyQueueFull = "54000";

/**
 * Sends a notification that carries no change. Once its queue is full PostgreSQL does not look by itself whether those who read
 * it have come on: it does when somebody asks how full it is, and so the next one finds room.
 */
export async function notify(sql: Sql, channel: string, payload: string): Promise<void> {
  try {
    await sql`select pg_notify(${channel}, ${payload})`;
  } catch (error) {
    if (sqlStateOf(error) === notifyQueueFull) await sql`select pg_notification_queue_usage()`;
    throw error;
  }
}

/** Runs a statement with its notification or, where there is no room for that, without it: `unheard` is told. */
export async function notifying<Result>(
  run: { readonly notifyAs: string | null; unheard(): void; lost(): void },
  statement: (notifyAs: string | null) => Promise<Result>,
): Promise<Result> {
  try {
    return await statement(run.notifyAs);
  } catch (error) {
    const state = sqlStateOf(error);
    if (state === null) run.lost();
    if (state !== notifyQueueFull) throw error;
    run.unheard();
    return statement(null);
  }
}

/** As the statements write it. */
export function writeNotification(from: string, jobIds: readonly string[]): string {
  return `${from}:${jobIds.join(",")}`;
}

const uuids = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Which process sent a notification, and the ids in it; null for whatever Onejob does not write: anybody may notify. */
export function readNotification(payload: string): { from: string; jobIds: string[] } | null {
  const colon = payload.indexOf(":");
  if (colon <= 0) return null;
  const ids = payload.slice(colon + 1);
  const jobIds = ids === "" ? [] : ids.split(",");
  return jobIds.every((id) => uuids.test(id)) ? { from: payload.slice(0, colon), jobIds } : null;
}
