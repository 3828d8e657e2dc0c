/** The simulation's invariants themselves: each finds the rows that break it, and none objects to rows that are well. */
import { describe, expect, test } from "vitest";
import { claim, claimed, create, fail, play, same } from "./histories.ts";
import { brokenRules } from "./invariants.ts";
import type { World } from "./model/world.ts";
import type { JobRow, Rows } from "./read-rows.ts";
import { rowsOf } from "./rows-of-world.ts";

const running = play([create], [claim, claimed]);

describe("the invariants", () => {
  const failed = play([create], [claim, claimed], [fail]);
  const change = (world: World, changes: (job: JobRow) => Partial<JobRow>): Rows => {
    const rows = rowsOf(world);
    return { ...rows, jobs: rows.jobs.map((job) => ({ ...job, ...changes(job) })) };
  };

  test("hold over rows that the model made", () => {
    expect(brokenRules(rowsOf(running), rowsOf(failed), false, same)).toEqual([]);
  });

  test.each<[string, World, (job: JobRow) => Partial<JobRow>]>([
    [
      "I3: at most one live attempt",
      failed,
      (job) => ({ attempts: job.attempts.map((one) => ({ ...one, state: "RUNNING" })) }),
    ],
    ["I5: the slot is taken exactly when the job SUCCEEDED", failed, () => ({ completedBy: "j.1" })],
    ["I6: the version is one, and one for each end", failed, () => ({ version: 1 })],
    [
      "I7: an attempt that has ended never changes",
      failed,
      (job) => ({ attempts: job.attempts.map((one) => ({ ...one, uncertain: true })) }),
    ],
    ["I8: events are numbered without gaps up to the count", failed, (job) => ({ events: job.events.toSpliced(2, 1) })],
    [
      "I8: the log is only added to",
      failed,
      (job) => ({ events: job.events.map((one) => ({ ...one, actor: "nobody" })) }),
    ],
    ["I9: another provider only certified or overridden", running, () => ({ provider: "laser" })],
  ])("find what breaks %s", (rule, world, changes) => {
    expect(brokenRules(rowsOf(world), change(world, changes), false, same)).toContain(`${rule}: j`);
  });

  test("miss no job that is gone, unless its key was released", () => {
    const gone = { ...rowsOf(failed), jobs: [] };
    expect(brokenRules(rowsOf(failed), gone, false, same)).toEqual([expect.stringContaining("I1")]);
    expect(brokenRules(rowsOf(failed), gone, true, same)).toEqual([]);
  });
});
