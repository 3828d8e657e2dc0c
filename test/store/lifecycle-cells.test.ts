/** Every situation of an attempt against every command: the answer, the states after it, the version and the events, as the table has them. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type AttemptState, mayBecome } from "../../src/domain/lifecycle.ts";
import { type CommandName, cells, commandNames } from "../support/lifecycle-cells.ts";
import { type Reached, reach, type Situation, situations } from "../support/reach-state.ts";
import { runCommand } from "../support/run-command.ts";
import { shiftClock } from "../support/shift-clock.ts";
import { type Snapshot, snapshotJob } from "../support/snapshot-tables.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
beforeAll(async () => {
  db = await openTestStore();
});
afterEach(() => shiftClock(db.sql, "0"));
afterAll(() => db.close());

/** What the table speaks of. */
function digest(snapshot: Snapshot, at: Reached) {
  const [job] = snapshot.jobs;
  const attempt = snapshot.attempts.find((one) => one.id === at.attemptId);
  return {
    attempt: attempt?.state as AttemptState,
    job: job?.state,
    version: Number(job?.version),
    events: snapshot.events.map((event) => event.type),
  };
}

/** A heartbeat's whole purpose is the lease. */
function withoutLease({ attempts, ...rest }: Snapshot) {
  return { ...rest, attempts: attempts.map(({ lease_expires_at: _lease, ...attempt }) => attempt) };
}

test("the table has each command once in every situation", () => {
  for (const situation of situations) expect(cells[situation].map(([command]) => command)).toEqual(commandNames);
});

type Row = (typeof cells)[Situation][number];
type Change = Extract<Row, { length: 6 }>;
const changes = (row: Row): row is Change => row.length === 6;

async function carryOut(situation: Situation, command: CommandName) {
  const at = await reach(db.store, situation);
  const before = await snapshotJob(db.sql, at.jobId);
  if (command === "expire, overdue") await shiftClock(db.sql, "1 hour");
  const answer = await runCommand(db.store, command, at);
  return { at, before, answer, after: await snapshotJob(db.sql, at.jobId) };
}

describe.each(situations)("an attempt that is %s", (situation) => {
  const rows: readonly Row[] = cells[situation];

  test.each(rows.filter((row) => !changes(row)))(
    "%s is answered %s, and nothing changes",
    async (command, expected) => {
      const { before, answer, after } = await carryOut(situation, command);
      expect(answer).toBe(expected);
      const compared = expected === "beating" ? withoutLease : (whole: Snapshot) => whole;
      expect(compared(after)).toEqual(compared(before));
    },
  );

  const changing = rows.filter(changes);
  test.for(changing)("%s is answered %s, and leaves it %s with its job %s", async (row) => {
    const [command, expected, attempt, job, versionStep, events] = row;
    const { at, before, answer, after } = await carryOut(situation, command);
    expect(answer).toBe(expected);
    const [was, is] = [digest(before, at), digest(after, at)];
    const version = was.version + versionStep;
    expect(is).toEqual({ attempt, job, version, events: [...was.events, ...events.split(" ")] });
    expect(was.attempt === is.attempt || mayBecome(was.attempt, is.attempt)).toBe(true);
  });
});
