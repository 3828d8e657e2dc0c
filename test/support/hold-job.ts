/**
 * Forces the order in which calls meet: a session outside holds what they need, and each call is seen waiting before the
 * next one. It never sleeps; PostgreSQL itself says who waits.
 */
import type postgres from "postgres";
import { waitUntil } from "./wait-until.ts";

export interface Held {
  /**
   * Starts a call and returns once one session more is seen waiting. The promise of its answer is wrapped, so that
   * awaiting this does not await it.
   */
  line<Answer>(call: () => Promise<Answer>): Promise<{ answer: Promise<Answer> }>;
  /** Lets go: the calls go on in the order in which they lined up. */
  release(): Promise<void>;
}

/**
 * Sessions of this database that wait for a row, a key or an advisory lock, by PostgreSQL's own account. Other locks do not
 * count: a commit with a NOTIFY waits a moment for those of the whole server, which says nothing about the order here.
 */
async function countBlocked(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ blocked: number }[]>`
    select count(*)::int as blocked from pg_stat_activity
    where datname = current_database() and state = 'active'
      and wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple', 'advisory')`;
  return row?.blocked ?? 0;
}

/** Starts a call and returns once one session more than before waits for a lock, whoever holds it. */
export async function lineUp<Answer>(
  sql: postgres.Sql,
  call: () => Promise<Answer>,
): Promise<{ answer: Promise<Answer> }> {
  const before = await countBlocked(sql);
  const answer = call();
  answer.catch(() => {});
  await waitUntil("one session more waits for a lock", async () => (await countBlocked(sql)) > before);
  return { answer };
}

async function hold(sql: postgres.Sql, lock: (session: postgres.TransactionSql) => Promise<unknown>): Promise<Held> {
  let letGo = (): void => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let ended: Promise<unknown> = Promise.resolve();
  await new Promise<void>((held, failed) => {
    ended = sql
      .begin(async (session) => {
        await lock(session);
        held();
        await released;
      })
      .catch(failed);
  });
  return {
    line: (call) => lineUp(sql, call),
    async release() {
      letGo();
      await ended;
    },
  };
}

/** Every verb but claim and expire waits for the job's row; those two pass it by. */
export function holdJob(sql: postgres.Sql, jobId: string): Promise<Held> {
  return hold(sql, (session) => session`select from jobs where id = ${jobId} for update`);
}

/** A verb that changes this attempt waits with its job's row already locked, claim and expire among them. */
export function holdAttempt(sql: postgres.Sql, attemptId: string): Promise<Held> {
  return hold(sql, (session) => session`select from attempts where id = ${attemptId} for update`);
}

const gate = 7_001;
const ticket = 7_002;

/**
 * The first statement that asks the database's clock waits; all later ones pass. Claim and expire ask it before they lock
 * anything, so what they saw grows old meanwhile, and they must find out. For a database of the test's own only.
 */
export async function holdClock(sql: postgres.Sql): Promise<Held> {
  await sql.unsafe(`
    create or replace function onejob_now() returns timestamptz language plpgsql volatile as $$
    begin
      if pg_try_advisory_xact_lock(${ticket}) then perform pg_advisory_xact_lock_shared(${gate}); end if;
      return date_trunc('milliseconds', clock_timestamp());
    end $$`);
  return hold(sql, (session) => session`select pg_advisory_xact_lock(${gate})`);
}

/**
 * Whatever inserts into that table waits, with all that its statement has locked before. For a database of the test's own only,
 * and one table at a time; the release takes the trigger away.
 */
export async function holdInserts(sql: postgres.Sql, table: "attempts"): Promise<Held> {
  await sql.unsafe(`
    create or replace function held_insert() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${gate});
      return new;
    end $$;
    create trigger held_insert before insert on ${table} for each row execute function held_insert()`);
  const held = await hold(sql, (session) => session`select pg_advisory_xact_lock(${gate})`);
  return {
    line: (call) => held.line(call),
    async release() {
      await held.release();
      await sql.unsafe(`drop trigger held_insert on ${table}`);
    },
  };
}
