/** Sets a database up for simulating: two stores on it, as two server processes are, and a clock that stands where the simulation puts it. */
import postgres from "postgres";
import type { Store } from "../../src/store/store.ts";
import type { System } from "./load-system.ts";

export interface Scene {
  readonly system: System;
  readonly stores: readonly [Store, Store];
  /** Outside the stores: one session to hold a point, and one for each command of a race that no verb carries out. */
  readonly sql: postgres.Sql;
  /** One session of its own, for looking and cutting off: it must never stand in line behind what is held. */
  readonly reader: postgres.Sql;
  /** Whether the database's triggers are at work: a mutant may have been bred without them. */
  readonly guarded: boolean;
  setClock(now: number): Promise<void>;
  /** Ends sessions as a crashed process or a cut connection would, and waits until nothing of them is left. */
  cutOff(pids: readonly number[]): Promise<void>;
  /** Whether any session has been cut off so far. */
  hasCutOff(): boolean;
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** Nobody holds a lock for longer than a step takes. */
const lockTimeoutMs = 20_000;

/** A sequence keeps the time: to set it costs no row, no lock, and no statement's plan, as replacing a function would. */
async function takeOverClock(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`
    create sequence if not exists simulation_clock;
    create or replace function onejob_now() returns timestamptz language sql volatile
    as $$ select timestamptz 'epoch' + last_value * interval '1 millisecond' from simulation_clock $$`);
}

/** No machine crashes here, so nobody needs to wait for a disk. */
async function spareTheDisk(sql: postgres.Sql, url: string): Promise<void> {
  await sql`alter database ${sql(new URL(url).pathname.slice(1))} set synchronous_commit = off`;
}

export async function openScene(system: System, url: string, guarded = true): Promise<Scene> {
  const connect = (max: number): postgres.Sql =>
    postgres(url, { max, onnotice: () => {}, connection: { application_name: "simulation" } });
  const [sql, reader] = [connect(4), connect(1)];
  await spareTheDisk(sql, url);
  const open = (): Promise<Store> => system.openStore({ url, poolSize: 4, lockTimeoutMs });
  const stores = [await open(), await open()] as const;
  await takeOverClock(sql);
  let cuts = 0;
  return {
    system,
    stores,
    sql,
    reader,
    guarded,
    setClock: async (now) => {
      await reader`select setval('simulation_clock', ${now}::bigint)`;
    },
    async cutOff(pids) {
      if (pids.length === 0) return;
      cuts += pids.length;
      await reader`select pg_terminate_backend(pid, 10000) from unnest(${pids as number[]}::int[]) as p(pid)`;
    },
    hasCutOff: () => cuts > 0,
    async empty() {
      await sql.begin(async (session) => {
        await session`set local session_replication_role = replica`;
        await session`truncate jobs, attempts, job_events, certifications, certification_checks, provider_settings, audit_log`;
      });
    },
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await Promise.all([sql.end({ timeout: 5 }), reader.end({ timeout: 5 })]);
    },
  };
}
