/**
 * Extends leases and keeps the newest progress. It changes no state, so it tells no event and leaves the job's row alone; other
 * processes are notified behind it, in tell-progress.ts.
 */
import { isLive } from "../../domain/lifecycle.ts";
import { answersInOrder, type Verb } from "../verb.ts";
import type { Heartbeat, HeartbeatAnswer } from "../worker-commands.ts";
import { readTargets, refuseForeign } from "./report-target.ts";

interface Row {
  readonly ord: number;
  readonly attemptId: string;
  readonly jobId: string;
  readonly leaseExpiresAt: Date;
  readonly leaseMs: number;
  readonly told: boolean;
}

function progressText(command: Heartbeat): string | null {
  if (command.progress === null) return null;
  const { fraction, message } = command.progress;
  return JSON.stringify({ fraction, message });
}

export const heartbeat: Verb<Heartbeat, Heartbeat, HeartbeatAnswer> = {
  name: "heartbeatAttempt",
  keyOf: (command) => command.attemptId,
  // A token that names its providers is judged by the attempt's, which is read first.
  outright: (command) => (command.providers === null ? command : null),

  async decide(sql, commands) {
    const targets = await readTargets(sql, commands);
    return commands.map((command, index) => {
      const target = targets[index] ?? null;
      const foreign = refuseForeign(command, target);
      if (foreign !== null || target === null) return { answer: foreign ?? { kind: "not-found" } };
      const { attemptId, jobId, leaseMs } = target;
      if (!isLive(target.state)) return { answer: { kind: "closed", attemptId, jobId } };
      if (target.state === "UNKNOWN")
        return { answer: { kind: "beating", attemptId, jobId, leaseExpiresAt: null, leaseMs } };
      return { plan: command };
    });
  },

  async apply(sql, plans, mode) {
    // Attempts are locked in the order of their jobs, as the sweep does, so that the two cannot deadlock.
    const rows = await sql<Row[]>`
      with locked as materialized (
        select c.ord::int, c.progress::jsonb as progress, a.id
        from unnest(${plans.map((p) => p.attemptId)}::uuid[], ${plans.map((p) => p.leaseToken)}::text[],
          ${plans.map(progressText)}::text[]) with ordinality as c(attempt, token, progress, ord)
        join attempts a on a.id = c.attempt and a.lease_token = c.token and a.state in ('STARTING', 'RUNNING')
        order by a.job_id for no key update of a ${mode.alone ? sql`` : sql`skip locked`}
      ),
      held as materialized (select locked.*, onejob_now() as now from locked),
      beaten as (
        update attempts a set lease_expires_at = h.now + a.lease_ms * interval '1 millisecond',
          progress = coalesce(h.progress || jsonb_build_object('updatedAt',
            to_char(h.now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), a.progress)
        from held h where a.id = h.id and a.state in ('STARTING', 'RUNNING')
        returning a.id, a.job_id, a.lease_expires_at, a.lease_ms, h.ord, h.progress is not null as told
      )
      select b.ord, b.id as attempt_id, b.job_id, b.lease_expires_at, b.lease_ms, b.told from beaten b`;
    return {
      answers: answersInOrder(plans, rows, ({ attemptId, jobId, leaseExpiresAt, leaseMs }) => {
        return { kind: "beating", attemptId, jobId, leaseExpiresAt, leaseMs };
      }),
      changedJobIds: [],
      progressedJobIds: rows.filter((row) => row.told).map((row) => row.jobId),
      queued: false,
    };
  },
};
