/**
 * Takes waiting attempts for a worker: the oldest of the highest priority first, past rows that others hold. A claim asked
 * again with its key gets the same attempts under the same tokens. It runs alone, never in a batch: it is one already.
 */
import type { Json } from "../../domain/json.ts";
import type { Claim, ClaimAttempts } from "../commands.ts";
import { type Sql, sqlStateOf } from "../connect.ts";
import { changedChannel, notification } from "../notify.ts";
import { type AttemptRow, toAttempt } from "../rows.ts";

interface Row extends AttemptRow {
  readonly operationVersion: number;
  readonly input: Json;
  readonly traceparent: string | null;
  readonly leaseLeftMs: number;
  readonly deadlineLeftMs: number;
}

export interface Claimed {
  readonly claims: Claim[];
  readonly changedJobIds: string[];
}

const uniqueViolation = "23505";

/** The first half of the advisory locks by which claims with one key take turns; any constant will do. */
const turnLock = 7_263;

function toClaim(row: Row): Claim | null {
  const attempt = toAttempt(row);
  const { leaseToken, leaseExpiresAt, deadlineAt } = attempt;
  if (leaseToken === null || leaseExpiresAt === null || deadlineAt === null) return null;
  const { operation, operationVersion, input, traceparent, leaseLeftMs, deadlineLeftMs } = row;
  return {
    attempt,
    leaseToken,
    operation,
    operationVersion,
    input,
    traceparent,
    leaseExpiresAt,
    leaseMs: leaseLeftMs,
    deadlineAt,
    deadlineMs: deadlineLeftMs,
  };
}

function toClaims(rows: readonly Row[]): Claim[] {
  return rows.flatMap((row) => toClaim(row) ?? []);
}

/** What a claim with this key has got before and still holds, of what this caller may claim: tokens of one owner may differ in that. */
async function readClaim(sql: Sql, command: ClaimAttempts): Promise<Claim[]> {
  const rows = await sql<Row[]>`
    select a.*, j.operation_version, j.input, j.traceparent,
      greatest(0, extract(epoch from a.lease_expires_at - onejob_now()) * 1000)::int as lease_left_ms,
      greatest(0, extract(epoch from a.deadline_at - onejob_now()) * 1000)::int as deadline_left_ms
    from attempts a join jobs j on j.id = a.job_id
    where a.claimed_by = ${command.claimedBy} and a.claim_key = ${command.claimKey}
      and a.provider = any(${command.providers as string[]}::text[]) and a.state in ('STARTING', 'RUNNING')
    order by a.claim_slot`;
  return toClaims(rows);
}

async function takeAttempts(sql: Sql, command: ClaimAttempts, notifyAs: string | null): Promise<Row[]> {
  return sql<Row[]>`
    with turn as materialized (
      -- Claims with one key take turns: else a repeat would pass by what the first one is taking, and find nothing.
      select case when ${command.claimKey}::text is not null
        then pg_advisory_xact_lock(${turnLock}, hashtext(${command.claimedBy}::text || ' ' || ${command.claimKey}::text))::text end
    ),
    wanted as materialized (
      -- The provider whose next attempt is the most urgent comes first, so that none starves behind another one's queue.
      select p.provider from turn, unnest(${command.providers as string[]}::text[]) as p(provider), lateral (
        select a.priority, a.run_at, a.id from attempts a
        where a.waiting and a.provider = p.provider and a.run_at <= (select onejob_now())
          and (${command.operations as string[] | null}::text[] is null or a.operation = any(${command.operations as string[] | null}::text[]))
        order by a.priority desc nulls last, a.run_at, a.id limit 1
      ) head
      order by head.priority desc, head.run_at, head.id
    ),
    picked as materialized (
      select p.id, p.job_id, onejob_now() as now, row_number() over () as slot
      from wanted, lateral (
        select a.id, a.job_id from attempts a join jobs j on j.id = a.job_id
        where a.waiting and a.provider = wanted.provider and a.run_at <= (select onejob_now())
          and (${command.operations as string[] | null}::text[] is null or a.operation = any(${command.operations as string[] | null}::text[]))
          and j.state = 'QUEUED' and j.version = a.job_version and j.latest_attempt = a.id
          and not exists (select from provider_settings s where s.provider = a.provider and s.paused_at is not null)
        order by a.priority desc nulls last, a.run_at, a.id limit ${command.limit} for no key update of j skip locked
      ) p limit ${command.limit}
    ),
    taken as (
      update attempts a set state = 'STARTING', state_changed_at = p.now, started_at = p.now,
        worker_id = ${command.workerId}, claimed_by = ${command.claimedBy}, claim_key = ${command.claimKey},
        claim_slot = p.slot, lease_token = gen_random_uuid()::text,
        lease_expires_at = p.now + a.lease_ms * interval '1 millisecond',
        deadline_at = p.now + a.attempt_timeout_ms * interval '1 millisecond'
      from picked p where a.id = p.id and a.state = 'QUEUED'
      returning a.*, p.now
    ),
    moved as (
      update jobs j set state = 'RUNNING', event_count = j.event_count + 1, updated_at = t.now
      from taken t where j.id = t.job_id
      -- All that the answer needs: joining two CTEs again would be quadratic.
      returning j.event_count, j.operation_version, j.input, j.traceparent, t.*
    ),
    told as (
      insert into job_events (job_id, number, type, job_state, attempt_id, attempt_state, cause, actor, detail, at)
      select m.job_id, m.event_count, 'ATTEMPT_STARTING', 'RUNNING', m.id, 'STARTING', 'WORKER', ${command.claimedBy}::text,
        jsonb_build_object('workerId', ${command.workerId}::text), m.now
      from moved m
    )
    select m.*, m.lease_ms as lease_left_ms, m.attempt_timeout_ms as deadline_left_ms,
      ${notification(sql, changedChannel, notifyAs, sql`select job_id from moved`)}
    from moved m
    order by m.claim_slot`;
}

export async function claimAttempts(sql: Sql, command: ClaimAttempts, notifyAs: string | null): Promise<Claimed> {
  const { claimKey } = command;
  try {
    const rows = await takeAttempts(sql, command, notifyAs);
    if (rows.length > 0 || claimKey === null)
      return { claims: toClaims(rows), changedJobIds: rows.map((row) => row.jobId) };
  } catch (error) {
    if (sqlStateOf(error) !== uniqueViolation || claimKey === null) throw error;
  }
  // Nothing was left, or the slots are taken: a claim with this key may have come before. This one reads what that one got.
  return { claims: await readClaim(sql, command), changedJobIds: [] };
}
