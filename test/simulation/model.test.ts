/** The simulation's own judgement of answers and rows: histories that it must believe and histories that it must refuse, without any database. */
import { describe, expect, test } from "vitest";
import type { Command, Json } from "./commands.ts";
import { cancel, claim, claimed, complete, create, play, retry, same } from "./histories.ts";
import { judgeStep } from "./judge-step.ts";
import { predict } from "./model/predict.ts";
import type { World } from "./model/world.ts";
import type { Rows } from "./read-rows.ts";
import { rowsOf } from "./rows-of-world.ts";

const answerOf = (world: World, command: Command, seen: Json = null): Json =>
  predict(world, command, seen, false).answer;
const running = play([create], [claim, claimed]);

function judge(world: World, seen: readonly (readonly [Command, Json])[], rows: Rows) {
  const outcomes = seen.map(([command, answer]) => ({ command, seen: answer, wasCutOff: false }));
  return judgeStep(world, outcomes, rows, seen.length > 1, same);
}

const believed = { world: expect.anything() };
const refused = { complaints: expect.arrayContaining([expect.any(String)]) };

describe("the model", () => {
  test("lets the first result win, calls the same one again a repeat, and throws another one away", () => {
    const won = play([create], [claim, claimed], [complete]);
    expect(answerOf(running, complete)).toMatchObject({ kind: "completed", repeated: false });
    expect(answerOf(won, complete)).toMatchObject({ kind: "completed", repeated: true });
    expect(answerOf(won, { ...complete, result: 8 })).toMatchObject({ kind: "discarded", winnerId: "j.1" });
  });

  test("shuts a late result out once its attempt was cancelled, also while the next attempt is under way", () => {
    const retried = play([create], [claim, claimed], [cancel], [retry]);
    expect(answerOf(retried, complete)).toMatchObject({ kind: "discarded", winnerId: null });
    expect(answerOf(retried, { ...complete, token: "t.9" })).toMatchObject({ kind: "lease-lost" });
  });

  test("makes what is overdue UNKNOWN, never FAILED, and starts nothing after it", () => {
    const late = { ...running, now: 100_000 };
    const { world } = predict(late, { do: "expireAttempts", limit: 9 }, [], false);
    expect([...world.jobs.values()][0]).toMatchObject({
      state: "UNKNOWN",
      version: 1,
      attempts: [{ state: "UNKNOWN", uncertain: true }],
    });
    expect(answerOf(world, retry)).toMatchObject({ kind: "in-flight" });
  });

  test("asks a certification for another provider, of the revision that is configured", () => {
    const passed: Command = {
      do: "certify",
      operation: "print",
      provider: "laser",
      status: "PASSED",
      expiresInMs: 500,
    };
    const world = play([create], [claim, claimed], [cancel], [passed, "c"]);
    const elsewhere: Command = { ...retry, provider: "laser" };
    expect(answerOf(world, elsewhere)).toMatchObject({ kind: "started" });
    expect(answerOf({ ...world, now: 1_500 }, elsewhere)).toMatchObject({ kind: "not-certified", reason: "EXPIRED" });
    expect(answerOf({ ...world, revisions: { laser: "2" } }, elsewhere)).toMatchObject({ reason: "PROVIDER_CHANGED" });
  });
});

describe("a step", () => {
  const won = play([create], [claim, claimed], [complete]);
  const completed: Json = { kind: "completed", attemptId: "j.1", jobId: "j", repeated: false };

  test("is believed if answer and rows are as the model says", () => {
    expect(judge(running, [[complete, completed]], rowsOf(won))).toEqual(believed);
  });

  test("is refused if the answer is right and the rows are not", () => {
    expect(judge(running, [[complete, completed]], rowsOf(running))).toEqual(refused);
  });

  test("is refused if the rows are right and the answer is not", () => {
    expect(judge(running, [[complete, { ...(completed as object), repeated: true }]], rowsOf(won))).toEqual(refused);
  });

  test("is refused if a command broke, whatever it was", () => {
    const expire: Command = { do: "expireAttempts", limit: 9 };
    expect(judge(running, [[expire, { error: "23505 duplicate key" }]], rowsOf(running))).toEqual({
      complaints: ["expireAttempts broke: 23505 duplicate key"],
    });
  });

  test("of two results at once is believed in either order, and refused if both won", () => {
    const other: Command = { ...complete, result: 8 };
    const discarded: Json = { kind: "discarded", attemptId: "j.1", jobId: "j", winnerId: "j.1" };
    const rows = rowsOf(play([create], [claim, claimed], [complete], [other]));
    expect(
      judge(
        running,
        [
          [complete, completed],
          [other, discarded],
        ],
        rows,
      ),
    ).toEqual(believed);
    expect(
      judge(
        running,
        [
          [other, discarded],
          [complete, completed],
        ],
        rows,
      ),
    ).toEqual(believed);
    expect(
      judge(
        running,
        [
          [complete, completed],
          [other, completed],
        ],
        rows,
      ),
    ).toEqual(refused);
  });

  test("that was cut off is believed whole or not at all, and refused by halves", () => {
    const outcome = { command: complete, seen: null, wasCutOff: true };
    const half = rowsOf(won).jobs.map((job) => ({
      ...job,
      events: job.events.slice(0, -1),
      eventCount: job.eventCount - 1,
    }));
    expect(judgeStep(running, [outcome], rowsOf(won), true, same)).toEqual(believed);
    expect(judgeStep(running, [outcome], rowsOf(running), true, same)).toEqual(believed);
    expect(judgeStep(running, [outcome], { ...rowsOf(won), jobs: half }, true, same)).toEqual(refused);
  });

  test("in which a claim passes by what is due is refused alone, and believed beside another command", () => {
    const waiting = play([create]);
    const nothing = { command: claim, seen: [], wasCutOff: false };
    expect(judgeStep(waiting, [nothing], rowsOf(waiting), false, same)).toEqual(refused);
    expect(judgeStep(waiting, [nothing], rowsOf(waiting), true, same)).toEqual(believed);
  });
});
