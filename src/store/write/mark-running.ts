/** Records that the provider has taken an attempt's request. An attempt that is past STARTING only learns the provider's id for it. */
import { isLive } from "../../domain/lifecycle.ts";
import type { Sql } from "../connect.ts";
import { changedChannel, notification } from "../notify.ts";
import { type Applied, answersInOrder, type Mode, type Verb } from "../verb.ts";
import type { MarkRunning, MarkRunningAnswer } from "../worker-commands.ts";
import { readTargets, refuseForeign } from "./report-target.ts";

interface Plan {
  readonly command: MarkRunning;
  /** True where the attempt has left STARTING and only its request id is still wanted. */
  readonly idOnly: boolean;
}

interface Row {
  readonly ord: number;
  readonly attemptId: string;
  readonly jobId: string;
}

async function start(sql: Sql, plans: readonly Plan[], mode: Mode): Promise<Row[]> {
  return sql<Row[]>`
    with locked as materialized (
      select c.ord::int, c.request_id, c.actor, a.id as attempt, a.job_id
      from unnest(${plans.map((p) => p.command.attemptId)}::uuid[], ${plans.map((p) => p.command.leaseToken)}::text[],
        ${plans.map((p) => p.command.providerRequestId)}::text[], ${plans.map((p) => p.command.actor.name)}::text[])
        with ordinality as c(attempt, token, request_id, actor, ord)
      join attempts a on a.id = c.attempt and a.lease_token = c.token
      join jobs j on j.id = a.job_id
      order by j.id for no key update of j ${mode.alone ? sql`` : sql`skip locked`}
    ),
    held as materialized (select locked.*, onejob_now() as now from locked),
    running as (
      update attempts a set state = 'RUNNING', state_changed_at = h.now, provider_request_id = h.request_id
      from held h where a.id = h.attempt and a.state = 'STARTING'
      returning a.id, a.job_id, h.ord, h.actor, h.now, a.provider_request_id
    ),
    moved as (
      update jobs j set event_count = j.event_count + 1, updated_at = r.now
      from running r where j.id = r.job_id
      returning j.id, j.event_count, j.state, r.id as attempt, r.ord, r.actor, r.now, r.provider_request_id
    ),
    told as (
      insert into job_events (job_id, number, type, job_state, attempt_id, attempt_state, cause, actor, detail, at)
      select m.id, m.event_count, 'ATTEMPT_RUNNING', m.state, m.attempt, 'RUNNING', 'WORKER', m.actor,
        jsonb_build_object('providerRequestId', m.provider_request_id), m.now
      from moved m
    )
    select m.ord, m.attempt as attempt_id, m.id as job_id,
      ${notification(sql, changedChannel, mode.notifyAs, sql`select id from moved`)}
    from moved m`;
}

async function takeRequestId(sql: Sql, plan: Plan, mode: Mode): Promise<Row[]> {
  return sql<Row[]>`
    with named as (
      update attempts set provider_request_id = ${plan.command.providerRequestId}
      where id = ${plan.command.attemptId} and lease_token = ${plan.command.leaseToken}
        and state in ('RUNNING', 'UNKNOWN') and provider_request_id is null
      returning id, job_id
    )
    select 1 as ord, n.id as attempt_id, n.job_id,
      ${notification(sql, changedChannel, mode.notifyAs, sql`select job_id from named`)}
    from named n`;
}

export const markRunning: Verb<MarkRunning, Plan, MarkRunningAnswer> = {
  name: "markAttemptRunning",
  keyOf: (command) => command.attemptId,
  // A token that names its providers is judged by the attempt's, which is read first.
  outright: (command) => (command.providers === null ? { command, idOnly: false } : null),

  async decide(sql, commands) {
    const targets = await readTargets(sql, commands);
    return commands.map((command, index) => {
      const target = targets[index] ?? null;
      const foreign = refuseForeign(command, target);
      if (foreign !== null || target === null) return { answer: foreign ?? { kind: "not-found" } };
      const { attemptId, jobId } = target;
      if (target.state === "STARTING") return { plan: { command, idOnly: false } };
      if (!isLive(target.state)) return { answer: { kind: "closed", attemptId, jobId } };
      if (command.providerRequestId !== null && target.providerRequestId === null)
        return { plan: { command, idOnly: true } };
      return { answer: { kind: "running", attemptId, jobId } };
    });
  },

  async apply(sql, plans, mode): Promise<Applied<MarkRunningAnswer>> {
    const [first] = plans;
    const rows = first?.idOnly === true ? await takeRequestId(sql, first, mode) : await start(sql, plans, mode);
    return {
      answers: answersInOrder(plans, rows, ({ attemptId, jobId }) => ({ kind: "running", attemptId, jobId })),
      changedJobIds: rows.map((row) => row.jobId),
      queued: false,
    };
  },
};
