/**
 * The database's own account of its guards against the writes that tests try: each trigger, constraint and unique index refuses one
 * of them. A guard that a migration adds is missing here until a forbidden write meets it; nobody keeps a list.
 */
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestStore, type TestStore } from "../support/test-store.ts";
import { fillIn, type Ids, seedJobs } from "../support/write-in-psql.ts";
import { forbiddenAttempts } from "./forbidden/attempts.ts";
import { forbiddenControls } from "./forbidden/controls.ts";
import { forbiddenEvents } from "./forbidden/events.ts";
import { forbiddenJobs } from "./forbidden/jobs.ts";

const forbidden = [...forbiddenJobs, ...forbiddenAttempts, ...forbiddenEvents, ...forbiddenControls];

let db: TestStore;
let ids: Ids;
/** What has refused the forbidden writes: "OJ007 I7: …" for triggers, names for constraints and unique indexes. */
const met = new Set<string>();
beforeAll(async () => {
  db = await openTestStore();
  ids = await seedJobs(db.store, db.sql);
  for (const [, statement] of forbidden) met.add(await refuserOf(fillIn(statement, ids)));
});
afterAll(() => db.close());

async function refuserOf(statement: string): Promise<string> {
  try {
    await db.sql.unsafe(statement);
    return "nothing";
  } catch (error) {
    const { code, message, constraint_name: constraint } = error as postgres.PostgresError;
    return code.startsWith("OJ") ? `${code} ${message}` : (constraint ?? `${code} ${message}`);
  }
}

/** PostgreSQL keeps a trigger's arguments as bytes, with a zero after each. A function without any raises what its text says. */
async function readTriggers(): Promise<{ name: string; refusals: string[] }[]> {
  const rows = await db.sql<{ name: string; args: Buffer; source: string }[]>`
    select t.tgname as name, t.tgargs as args, p.prosrc as source
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = 'public'::regnamespace order by 1`;
  return rows.map(({ name, args, source }) => {
    const [state, message] = args.toString().split("\0");
    if (state && message) return { name, refusals: [`${state} ${message}`] };
    const raised = [...source.matchAll(/ERRCODE = '(OJ\d+)', MESSAGE = '((?:[^']|'')*)'/g)];
    return { name, refusals: raised.map(([, code, text]) => `${code} ${text?.replaceAll("''", "'")}`) };
  });
}

/**
 * Checks, keys and references of the tables that hold jobs, what operators did and what owners created, and unique indexes that are no constraint. NOT NULL is left out, and so
 * are unique keys that contain the primary one: they are there for references, and cannot be broken on their own.
 */
async function readConstraints(): Promise<string[]> {
  const rows = await db.sql<{ name: string }[]>`
    with tables as (select unnest(array['jobs', 'attempts', 'job_events', 'audit_log', 'creation_rates']::regclass[]) as id)
    select c.conname as name from pg_constraint c join tables t on t.id = c.conrelid
    where c.contype in ('c', 'u', 'p', 'f', 'x') and not exists (select from pg_constraint p
      where p.conrelid = c.conrelid and c.contype = 'u' and p.contype = 'p' and p.conkey <@ c.conkey)
    union select c.relname from pg_index i join tables t on t.id = i.indrelid join pg_class c on c.oid = i.indexrelid
    where i.indisunique and not exists (select from pg_constraint p where p.conindid = i.indexrelid)
    order by 1`;
  return rows.map((row) => row.name);
}

describe("the guards of the migrated database", () => {
  test("each refusal that a trigger can speak has been heard", async () => {
    const triggers = await readTriggers();
    expect(triggers.length).toBeGreaterThan(20);
    expect(triggers.filter(({ refusals }) => refusals.length === 0)).toEqual([]);
    expect(
      triggers.flatMap(({ name, refusals }) => refusals.filter((one) => !met.has(one)).map((one) => `${name}: ${one}`)),
    ).toEqual([]);
  });

  test("each constraint and unique index has refused a write", async () => {
    expect((await readConstraints()).filter((name) => !met.has(name))).toEqual([]);
  });

  test("each has a SQLSTATE of its own that names an invariant, and says which in its message", async () => {
    const refusals = (await readTriggers()).flatMap((trigger) => trigger.refusals);
    for (const refusal of refusals) {
      const [, state, named] = /^OJ00(\d) I(\d): ./.exec(refusal) ?? [];
      expect(state, refusal).toBeDefined();
      expect(named, refusal).toBe(state);
    }
  });
});
