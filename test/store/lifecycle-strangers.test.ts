/** Whoever holds no claim, or asks from another owner's scope, changes nothing in any situation and learns nothing from a scope not theirs. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CommandName } from "../support/lifecycle-cells.ts";
import { reach, situations } from "../support/reach-state.ts";
import { runCommand } from "../support/run-command.ts";
import { snapshotJob } from "../support/snapshot-tables.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
beforeAll(async () => {
  db = await openTestStore();
});
afterAll(() => db.close());

const reports = [
  "markRunning",
  "heartbeat",
  "complete, first result",
  "complete, other result",
  "fail, certain",
  "fail, uncertain",
] as const satisfies CommandName[];

const callers = [
  "cancelAttempt by its owner",
  "cancelAttempt by an owner who may",
  "cancelAttempt by an operator",
  "cancelJob",
  "retryJob after it",
] as const satisfies CommandName[];

const foreign = { scope: "bob", providers: ["another-provider"] };

describe.each(situations)("about an attempt that is %s", (situation) => {
  test.each(reports)("%s with a wrong token is told that the lease is lost, and changes nothing", async (command) => {
    const at = await reach(db.store, situation);
    const before = await snapshotJob(db.sql, at.jobId);
    const forged = { ...at, report: { ...at.report, leaseToken: "f0e1d2c3-0000-4000-8000-000000000000" } };
    expect(await runCommand(db.store, command, forged)).toBe("lease-lost");
    expect(await snapshotJob(db.sql, at.jobId)).toEqual(before);
  });

  test.each([...reports, ...callers])("%s from a foreign scope finds nothing, and changes nothing", async (command) => {
    const at = await reach(db.store, situation);
    const before = await snapshotJob(db.sql, at.jobId);
    // Even with a token that is wrong as well: nothing tells that the attempt exists.
    const forged = { ...at, report: { ...at.report, leaseToken: "wrong" } };
    expect(await runCommand(db.store, command, forged, foreign)).toBe("not-found");
    expect(await snapshotJob(db.sql, at.jobId)).toEqual(before);
  });

  test("a claim for another provider does not get it", async () => {
    const at = await reach(db.store, situation);
    expect(await runCommand(db.store, "claim", at, foreign)).toBe("nothing");
  });
});

test("ids that nothing has are not found by any command", async () => {
  const id = "01890000-0000-7000-8000-000000000000";
  const at = await reach(db.store, "RUNNING");
  const nowhere = { ...at, jobId: id, attemptId: id, report: { ...at.report, attemptId: id } };
  for (const command of [...reports, ...callers])
    expect(await runCommand(db.store, command, nowhere)).toBe("not-found");
});
