/** One job in each state, and plain SQL against them as the table's owner would type it in psql. */
import type postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sqlStateOf } from "../../src/store/connect.ts";
import type { Store } from "../../src/store/store.ts";
import { certify } from "./certify.ts";
import { snapshotTables } from "./snapshot-tables.ts";
import { cancelJobCommand, claimOne, createOne, failureOf, operator, reportOf, retryCommand } from "./store-kit.ts";
import { openTestStore, type TestStore } from "./test-store.ts";

/** Ids by name: a job's state in lower case, with ".last" for its newest attempt and ".first" for its first one. */
export type Ids = Readonly<Record<string, string>>;

export async function seedJobs(store: Store, sql: postgres.Sql): Promise<Ids> {
  const ids: Record<string, string> = {};
  const name = async (as: string, jobId: string): Promise<void> => {
    const attempts = await store.read.attemptsOfJobs([jobId]);
    Object.assign(ids, { [as]: jobId, [`${as}.first`]: attempts[0]!.id, [`${as}.last`]: attempts.at(-1)!.id });
  };

  const succeeded = await createOne(store, {
    idempotencyKey: "succeeded",
    metadata: { tag: "a" },
    traceparent: "00-a",
  });
  const jammed = await claimOne(store);
  await store.failAttempt(failureOf(jammed));
  await store.retryJob(retryCommand(succeeded, jammed.attempt.id));
  await store.completeAttempt({ ...reportOf(await claimOne(store)), result: { pages: 1 } });
  // A late result of the first attempt, so that the log holds a discard.
  await store.completeAttempt({ ...reportOf(jammed), result: { pages: 2 } });
  await name("succeeded", succeeded);

  const cancelled = await createOne(store, { idempotencyKey: "cancelled" });
  await claimOne(store);
  await store.cancelJob(cancelJobCommand(cancelled));
  await name("cancelled", cancelled);

  const failed = await createOne(store, { idempotencyKey: "failed" });
  await store.failAttempt(failureOf(await claimOne(store)));
  await name("failed", failed);

  const running = await createOne(store, { idempotencyKey: "running" });
  await claimOne(store);
  await name("running", running);

  await name("queued", await createOne(store, { idempotencyKey: "queued", metadata: { tag: "b" } }));
  // For an entry in the audit log.
  await store.pauseProvider({ provider: "plotter", reason: "no paper", actor: operator });
  Object.assign(ids, await seedCertifications(sql));
  return ids;
}

/** Certifications that open no gate for the operation "print" on "laser", named by what is wrong with them. */
async function seedCertifications(sql: postgres.Sql): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  const kinds = [
    ["revoked", "print", "laser", "REVOKED"],
    ["unfinished", "print", "laser", "RUNNING"],
    ["inkjets", "print", "inkjet", "PASSED"],
    ["scans", "scan", "laser", "PASSED"],
  ] as const;
  for (const [name, operation, provider, status] of kinds) {
    ids[`certification.${name}`] = await certify(sql, { operation, provider, status });
  }
  return ids;
}

/** Replaces `{name}` by the quoted id of that name. */
export function fillIn(statement: string, ids: Ids): string {
  return statement.replaceAll(/\{([\w.]+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`Nothing is called ${name}.`);
    return `'${id}'`;
  });
}

/** What the database answers: SQLSTATE and message of its refusal, or null where it let the statement pass. */
export async function refusalOf(
  sql: postgres.Sql,
  statement: string,
): Promise<{ state: string | null; message: string } | null> {
  try {
    await sql.unsafe(statement);
    return null;
  } catch (error) {
    return { state: sqlStateOf(error), message: (error as Error).message };
  }
}

/** What is tried, the statement, its SQLSTATE, and how the refusal names what it guards. */
export type Forbidden = [string, string, string, RegExp];

/** A test for each write: it is refused in these words, and not a row of the database is another afterwards. */
export function expectRefusals(forbidden: readonly Forbidden[]): void {
  let db: TestStore;
  let ids: Ids;
  beforeAll(async () => {
    db = await openTestStore();
    ids = await seedJobs(db.store, db.sql);
  });
  afterAll(() => db.close());

  test.each(forbidden)("%s: refused, with nothing changed", async (_, statement, state, message) => {
    const before = await snapshotTables(db.sql);
    expect(await refusalOf(db.sql, fillIn(statement, ids))).toEqual({ state, message: expect.stringMatching(message) });
    expect(await snapshotTables(db.sql)).toEqual(before);
  });
}
