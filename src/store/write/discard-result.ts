/** Records that a result came too late: who, when, digest and size, once for each attempt and digest. The result itself is kept nowhere. */
import type { Actor } from "../../domain/event.ts";
import { digestOf } from "../../domain/intent.ts";
import type { Json } from "../../domain/json.ts";
import { type Sql, sqlStateOf } from "../connect.ts";
import { changedChannel, notification } from "../notify.ts";
import type { Applied, Mode } from "../verb.ts";
import type { CompleteAttemptAnswer } from "../worker-commands.ts";

const uniqueViolation = "23505";

export async function isDiscardRecorded(sql: Sql, attemptId: string, digest: string): Promise<boolean> {
  const rows = await sql`select from job_events where attempt_id = ${attemptId} and result_digest = ${digest}`;
  return rows.length > 0;
}

/** The digest of the result that a job holds, or null where retention has removed it. */
export async function digestOfHeld(sql: Sql, jobId: string): Promise<string | null> {
  const [row] = await sql<
    { result: Json; kept: boolean }[]
  >`select result, result is not null as kept from jobs where id = ${jobId}`;
  return row?.kept === true ? digestOf(row.result) : null;
}

export interface LateResult {
  readonly attemptId: string;
  readonly jobId: string;
  readonly digest: string;
  readonly bytes: number;
}

/** Answers null where another call recorded the same discard meanwhile: the next look finds it. */
export async function discardResult(
  sql: Sql,
  actor: Actor,
  late: LateResult,
  mode: Mode,
): Promise<Applied<Extract<CompleteAttemptAnswer, { kind: "discarded" }>>> {
  const { attemptId, jobId } = late;
  try {
    const rows = await sql<{ completedBy: string | null }[]>`
      with locked as materialized (select id from jobs where id = ${jobId} for no key update),
      held as materialized (select id, onejob_now() as now from locked),
      fenced as (
        update jobs j set event_count = j.event_count + 1
        from held h, attempts a
        where j.id = h.id and a.id = ${attemptId} and (j.version <> a.job_version or j.completed_by is not null)
        returning j.id, j.event_count, j.state, j.completed_by, h.now, a.id as attempt
      ),
      marked as (
        update attempts a set late_result_at = coalesce(a.late_result_at, f.now)
        from fenced f where a.id = f.attempt returning a.id, a.state
      ),
      told as (
        insert into job_events (job_id, number, type, job_state, attempt_id, attempt_state, cause, actor, detail, result_digest, at)
        select f.id, f.event_count, 'RESULT_DISCARDED', f.state, m.id, m.state, ${actor.cause}::event_cause,
          ${actor.name}::text, jsonb_build_object('digest', ${late.digest}::text, 'bytes', ${late.bytes}::int),
          ${late.digest}::text, f.now
        from fenced f join marked m on m.id = f.attempt
      )
      select f.completed_by, ${notification(sql, changedChannel, mode.notifyAs, sql`select id from fenced`)} from fenced f`;
    const [row] = rows;
    if (row === undefined) return { answers: [null], changedJobIds: [], queued: false };
    return {
      answers: [{ kind: "discarded", attemptId, jobId, winnerId: row.completedBy }],
      changedJobIds: [jobId],
      queued: false,
    };
  } catch (error) {
    if (sqlStateOf(error) !== uniqueViolation) throw error;
    return { answers: [null], changedJobIds: [], queued: false };
  }
}
