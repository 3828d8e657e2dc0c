/** Starts the attempt after the one that the caller saw end: one for any number of askers, and on another provider only through the gate (I9). */
import { decideRetry } from "../../domain/decide-retry.ts";
import type { AttemptState, JobState } from "../../domain/lifecycle.ts";
import type { AttemptTerms, RetryJob, RetryJobAnswer } from "../commands.ts";
import type { Sql } from "../connect.ts";
import { encodeId, newId } from "../ids.ts";
import { notification, queuedChannel } from "../notify.ts";
import { readGates } from "../read/gates.ts";
import type { Decision, Verb } from "../verb.ts";
import { audited, entryOf } from "./audit.ts";
import { noteOf } from "./note-token.ts";

interface View {
  readonly ord: number;
  readonly ownerId: string;
  readonly jobState: JobState;
  readonly isPurged: boolean;
  readonly version: number;
  readonly operation: string;
  readonly jobProvider: string;
  readonly latestAttemptId: string;
  readonly latestState: AttemptState;
  readonly latestNumber: number;
  readonly afterNumber: number;
  readonly latestProvider: string;
}

interface Plan {
  readonly command: RetryJob;
  readonly attemptId: string;
  readonly view: View;
  readonly terms: AttemptTerms;
  readonly certificationId: string | null;
  readonly uncertifiedBy: string | null;
}

async function readViews(sql: Sql, commands: readonly RetryJob[]): Promise<Map<number, View>> {
  const rows = await sql<View[]>`
    select c.ord::int, j.owner_id, j.state as job_state, j.purged_at is not null as is_purged, j.version, j.operation, j.provider as job_provider,
      j.latest_attempt as latest_attempt_id, l.state as latest_state, l.number as latest_number, b.number as after_number, l.provider as latest_provider
    from unnest(${commands.map((c) => c.jobId)}::uuid[], ${commands.map((c) => c.afterAttemptId)}::uuid[])
      with ordinality as c(job_id, after_id, ord)
    join jobs j on j.id = c.job_id
    join attempts l on l.id = j.latest_attempt
    join attempts b on b.id = c.after_id and b.job_id = j.id`;
  return new Map(rows.map((row) => [row.ord, row]));
}

async function decideOne(sql: Sql, command: RetryJob, view: View | undefined): Promise<Decision<Plan, RetryJobAnswer>> {
  if (view === undefined || (command.scope !== null && view.ownerId !== command.scope))
    return { answer: { kind: "not-found" } };
  const { jobId, override } = command;
  const verdict = decideRetry(view);
  if (verdict === "closed" || verdict === "purged") return { answer: { kind: verdict, jobId } };
  if (verdict === "in-flight") return { answer: { kind: "in-flight", jobId, attemptId: view.latestAttemptId } };
  if (verdict === "outdated") return { answer: { kind: "outdated", jobId, latestAttemptId: view.latestAttemptId } };
  const provider = command.provider ?? view.latestProvider;
  const terms = command.termsFor(view.operation, provider);
  if (terms === null) return { answer: { kind: "dropped", operation: view.operation, provider } };
  const plan = { command, attemptId: newId(), view, terms, certificationId: null, uncertifiedBy: null };
  if (provider === view.jobProvider) return { plan };
  if (override !== null) return { plan: { ...plan, uncertifiedBy: override.by } };
  const [gate] = await readGates(sql, [{ ...terms, operation: view.operation }]);
  if (gate?.open === true) return { plan: { ...plan, certificationId: gate.certificationId } };
  const reason = gate?.reason ?? "NEVER_RUN";
  return { answer: { kind: "not-certified", provider, reason, certificationId: gate?.certificationId ?? null } };
}

function entryFor({ command, attemptId, terms, uncertifiedBy }: Plan): string | null {
  const { actor, jobId, override, reason = null } = command;
  const detail = {
    attemptId: encodeId("att", attemptId),
    provider: terms.provider,
    overrideGate: uncertifiedBy !== null,
  };
  return entryOf({
    actor,
    action: "retryJob",
    target: encodeId("job", jobId),
    reason: override?.reason ?? reason,
    detail,
  });
}

export const retryJobs: Verb<RetryJob, Plan, RetryJobAnswer> = {
  name: "retryJob",
  keyOf: (command) => command.jobId,
  outright: () => null,

  async decide(sql, commands) {
    const views = await readViews(sql, commands);
    return Promise.all(commands.map((command, index) => decideOne(sql, command, views.get(index + 1))));
  },

  async apply(sql, plans, mode) {
    const rows = await sql<{ ord: number }[]>`
      with gate as materialized (
        select c.id from certifications c
        where c.id = any(${plans.flatMap((p) => p.certificationId ?? [])}::uuid[])
          and c.status = 'PASSED' and (c.expires_at is null or c.expires_at > onejob_now())
        order by c.id for share
      ),
      locked as materialized (
        select c.ord::int, c.job_id, c.next_id, c.version, c.latest, c.provider, c.revision, c.timeout_ms, c.lease_ms,
          c.certification, c.uncertified_by, c.reason, c.actor, c.cause, c.entry::jsonb, c.note::jsonb
        from unnest(
          ${plans.map((p) => p.command.jobId)}::uuid[], ${plans.map((p) => p.attemptId)}::uuid[],
          ${plans.map((p) => p.view.version)}::int[], ${plans.map((p) => p.view.latestAttemptId)}::uuid[],
          ${plans.map((p) => p.terms.provider)}::text[], ${plans.map((p) => p.terms.providerRevision)}::text[],
          ${plans.map((p) => p.terms.attemptTimeoutMs)}::int[], ${plans.map((p) => p.terms.leaseMs)}::int[],
          ${plans.map((p) => p.certificationId)}::uuid[], ${plans.map((p) => p.uncertifiedBy)}::text[],
          ${plans.map((p) => p.command.override?.reason ?? null)}::text[],
          ${plans.map((p) => p.command.actor.name)}::text[], ${plans.map((p) => p.command.actor.cause)}::text[],
          ${plans.map(entryFor)}::text[], ${plans.map((p) => noteOf(p.command.actor))}::text[]
        ) with ordinality as c(job_id, next_id, version, latest, provider, revision, timeout_ms, lease_ms, certification,
          uncertified_by, reason, actor, cause, entry, note, ord)
        join jobs j on j.id = c.job_id
        order by j.id for no key update of j ${mode.alone ? sql`` : sql`skip locked`}
      ),
      held as materialized (select locked.*, onejob_now() as now from locked),
      reopened as (
        update jobs j set state = 'QUEUED', failure = null, latest_attempt = h.next_id, attempt_count = j.attempt_count + 1,
          event_count = j.event_count + 1, updated_at = h.now
        from held h
        where j.id = h.job_id and j.version = h.version and j.latest_attempt = h.latest and j.state = 'FAILED' and j.purged_at is null
          and (h.certification is null or h.certification in (select id from gate))
        returning j.id, j.event_count, j.attempt_count, j.owner_id, j.operation, j.priority, h.*
      ),
      queued as (
        insert into attempts (id, job_id, number, provider, provider_revision, owner_id, operation, priority, attempt_timeout_ms, lease_ms,
          state, state_changed_at, job_version, certification_id, uncertified_by, run_at, created_at)
        select r.next_id, r.id, r.attempt_count, r.provider, r.revision, r.owner_id, r.operation, r.priority, r.timeout_ms, r.lease_ms,
          'QUEUED', r.now, r.version, r.certification, r.uncertified_by, r.now, r.now
        from reopened r
      ),
      told as (
        insert into job_events (job_id, number, type, job_state, attempt_id, attempt_state, cause, actor, detail, at)
        select r.id, r.event_count, 'ATTEMPT_QUEUED', 'QUEUED', r.next_id, 'QUEUED', r.cause::event_cause, r.actor,
          jsonb_strip_nulls(jsonb_build_object('provider', r.provider, 'uncertifiedBy', r.uncertified_by, 'reason', r.reason)) || r.note, r.now
        from reopened r
      ),
      ${audited(sql, "reopened")}
      select r.ord, ${notification(sql, queuedChannel, mode.notifyAs, sql`select id from reopened`)} from reopened r`;
    const started = new Set(rows.map((row) => row.ord));
    const won = plans.filter((_, index) => started.has(index + 1));
    return {
      answers: plans.map(({ command, attemptId }, index) =>
        started.has(index + 1) ? { kind: "started", jobId: command.jobId, attemptId } : null,
      ),
      changedJobIds: won.map((plan) => plan.command.jobId),
      queued: won.length > 0,
    };
  },
};
