/** The database itself allows the moves of the lifecycle tables and no others, also to a person in psql. */
import { readdir, readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attemptStates, attemptTransitions, jobStates, jobTransitions } from "../../src/domain/lifecycle.ts";
import { sqlStateOf } from "../../src/store/connect.ts";
import { lifecycleGuards } from "../../src/store/lifecycle-guard.ts";
import { type Reached, reach } from "../support/reach-state.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
let at: Reached;
beforeAll(async () => {
  db = await openTestStore();
  at = await reach(db.store, "RUNNING");
});
afterAll(() => db.close());

const rolledBack = new Error("The transaction is rolled back on purpose.");

/** The columns that the tables' own checks want beside a state. */
function attemptUpdate(state: string): string {
  const isOver = ["SUCCEEDED", "FAILED", "CANCELLED"].includes(state);
  return `update attempts set state = '${state}', finished_at = ${isOver ? "onejob_now()" : "null"} where id = '${at.attemptId}'`;
}

function jobUpdate(state: string): string {
  const isClosed = ["SUCCEEDED", "CANCELLED"].includes(state);
  const winner = state === "SUCCEEDED" ? `'${at.attemptId}'` : "null";
  return `update jobs set state = '${state}', closed_at = ${isClosed ? "onejob_now()" : "null"}, completed_by = ${winner}
    where id = '${at.jobId}'`;
}

/**
 * Puts the row into the first state past all triggers, then tries the second update with the triggers on. Answers with what
 * refused it, or null. Nothing of it stays.
 */
async function refusalOf(first: string, second: string, without: readonly string[] = []) {
  let refusal: unknown = null;
  const attempt = db.sql.begin(async (session) => {
    for (const name of without) await session.unsafe(`alter table jobs disable trigger ${name}`);
    await session.unsafe("set local session_replication_role = replica");
    await session.unsafe(first);
    await session.unsafe("set local session_replication_role = origin");
    refusal = await session.unsafe(second).then(
      () => null,
      (error: unknown) => error,
    );
    throw rolledBack;
  });
  await attempt.catch((error: unknown) => {
    if (error !== rolledBack && refusal === null) throw error;
  });
  return refusal === null ? null : { state: sqlStateOf(refusal), message: (refusal as Error).message };
}

const pairs = <State extends string>(states: readonly State[]) =>
  states.flatMap((from) => states.filter((to) => to !== from).map((to) => [from, to] as const));

describe("attempts", () => {
  test.each(pairs(attemptStates))(
    "from %s to %s the database allows what the table has, and nothing else",
    async (from, to) => {
      const isMove = (attemptTransitions[from] as readonly string[]).includes(to);
      const refused = { state: "OJ007", message: "I7: the lifecycle has no such move in attempts" };
      expect(await refusalOf(attemptUpdate(from), attemptUpdate(to))).toEqual(isMove ? null : refused);
    },
  );
});

describe("jobs", () => {
  test.each(pairs(jobStates))(
    "from %s to %s the database allows what the table has, and nothing else",
    async (from, to) => {
      const isMove = (jobTransitions[from] as readonly string[]).includes(to);
      const refusal = await refusalOf(jobUpdate(from), jobUpdate(to));
      expect(refusal?.state).toBe(isMove ? undefined : "OJ007");
      expect(refusal?.message ?? "I7: ").toMatch(/^I7: /);
    },
  );

  test.each(pairs(jobStates))(
    "from %s to %s the lifecycle trigger decides alike without its neighbours",
    async (from, to) => {
      // A closed job is refused any change by a trigger that comes first; this looks behind it.
      const isMove = (jobTransitions[from] as readonly string[]).includes(to);
      const refused = { state: "OJ007", message: "I7: the lifecycle has no such move in jobs" };
      const neighbours = ["jobs_closed", "jobs_purged", "jobs_result_slot"];
      expect(await refusalOf(jobUpdate(from), jobUpdate(to), neighbours)).toEqual(isMove ? null : refused);
    },
  );
});

test("a migration holds the triggers word for word as the tables generate them", async () => {
  const folder = new URL("../../drizzle/", import.meta.url);
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith("migration.sql"));
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), "utf8")));
  const { attempts, jobs } = lifecycleGuards();
  const holders = texts.filter((text) => text.includes(attempts) && text.includes(jobs));
  expect(holders).toHaveLength(1);
});

test("in the whole lifecycle no state is without a way in, and only the final ones are without a way out", () => {
  const reachable = new Set(Object.values(attemptTransitions).flat());
  expect(attemptStates.filter((state) => state !== "QUEUED" && !reachable.has(state as "STARTING"))).toEqual([]);
  expect(attemptStates.filter((state) => attemptTransitions[state].length === 0)).toEqual([
    "SUCCEEDED",
    "FAILED",
    "CANCELLED",
  ]);
  expect(jobStates.filter((state) => jobTransitions[state].length === 0)).toEqual(["SUCCEEDED", "CANCELLED"]);
});
