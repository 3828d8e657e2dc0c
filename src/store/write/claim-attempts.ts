/**
 * Takes waiting attempts for a worker, from owner to owner and within each provider's limits, past rows that others hold. A
 * claim asked again with its key gets the same attempts under the same tokens. It runs alone, never in a batch: it is one already.
 */
import type { Json } from "../../domain/json.ts";
import { type Sql, sqlStateOf } from "../connect.ts";
import { changedChannel, notification } from "../notify.ts";
import { type AttemptRow, toAttempt } from "../rows.ts";
import type { Turns } from "../turns.ts";
import type { Claim, ClaimAttempts } from "../worker-commands.ts";

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

interface Attempted {
  readonly sql: Sql;
  readonly turns: Turns;
  readonly notifyAs: string | null;
}

async function takeAttempts({ sql, turns, notifyAs }: Attempted, command: ClaimAttempts): Promise<Row[]> {
  const inTurn = turns.next(command.providers).map(({ provider, afterOwner }, place) => {
    const limits = command.limits?.find((one) => one.provider === provider);
    return { provider, afterOwner, place, maxRunning: limits?.maxRunning ?? null, pace: limits?.pace ?? null };
  });
  // Claims lock the rows of limited providers in the order of their names, so that two of them cannot deadlock.
  const wanted = inTurn.toSorted((one, other) => (one.provider < other.provider ? -1 : 1));
  return sql<Row[]>`
    with turn as materialized (
      -- Claims with one key take turns: else a repeat would pass by what the first one is taking, and find nothing.
      select case when ${command.claimKey}::text is not null
        then pg_advisory_xact_lock(${turnLock}, hashtext(${command.claimedBy}::text || ' ' || ${command.claimKey}::text))::text end
    ),
    wanted as materialized (
      select p.*, case when p.max_running is null and p.max_starts is null then ${command.limit}::int
        else least(${command.limit}::int, onejob_room(p.provider, p.max_running, p.max_starts, p.window_ms)) end as room
      from turn, unnest(${wanted.map((w) => w.provider)}::text[], ${wanted.map((w) => w.afterOwner)}::text[],
        ${wanted.map((w) => w.place)}::int[], ${wanted.map((w) => w.maxRunning)}::int[],
        ${wanted.map((w) => w.pace?.starts ?? null)}::int[], ${wanted.map((w) => w.pace?.perMs ?? null)}::int[])
        as p(provider, after_owner, place, max_running, max_starts, window_ms)
    ),
    picked as materialized (
      select p.attempt as id, p.job as job_id, w.provider, onejob_now() as now, row_number() over () as slot
      from (select * from wanted where room > 0 order by place) w,
        lateral onejob_pick_attempts(w.provider, ${command.operations as string[] | null}::text[], w.after_owner, w.room) p
      limit ${command.limit}
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
    ),
    noted as materialized (
      select onejob_note_starts(w.provider, (select count(*) from taken t where t.provider = w.provider)::int, w.window_ms)
      from wanted w where w.max_starts is not null and exists (select from taken t where t.provider = w.provider)
    )
    select m.*, m.lease_ms as lease_left_ms, m.attempt_timeout_ms as deadline_left_ms, (select count(*) from noted),
      ${notification(sql, changedChannel, notifyAs, sql`select job_id from moved`)}
    from moved m
    order by m.claim_slot`;
}

export async function claimAttempts(attempted: Attempted, command: ClaimAttempts): Promise<Claimed> {
  const { claimKey } = command;
  try {
    const rows = await takeAttempts(attempted, command);
    attempted.turns.served(rows);
    if (rows.length > 0 || claimKey === null)
      return { claims: toClaims(rows), changedJobIds: rows.map((row) => row.jobId) };
  } catch (error) {
    if (sqlStateOf(error) !== uniqueViolation || claimKey === null) throw error;
  }
  // Nothing was left, or the slots are taken: a claim with this key may have come before. This one reads what that one got.
  return { claims: await readClaim(attempted.sql, command), changedJobIds: [] };
}
