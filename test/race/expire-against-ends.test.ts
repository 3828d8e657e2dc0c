/** The sweep against cancelJob, cancelAttempt and resolveAttempt, in both orders: an attempt that has ended does not become UNKNOWN, and one that is UNKNOWN ends. */
import { expect, test } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { holdAttempt, holdClock, lineUp } from "../support/hold-job.ts";
import { overdue } from "../support/overdue.ts";
import { openRace } from "../support/race.ts";
import { readRows } from "../support/read-rows.ts";
import { cancelAttemptCommand, cancelJobCommand, foundFailed, resolveCommand } from "../support/store-kit.ts";

const race = openRace();

type Send = (store: Store, jobId: string, attemptId: string) => Promise<{ kind: string }>;
const ends: readonly (readonly [name: string, kind: string, jobState: string, send: Send])[] = [
  ["cancelJob", "cancelled", "CANCELLED", (store, jobId) => store.cancelJob(cancelJobCommand(jobId))],
  ["cancelAttempt", "cancelled", "FAILED", (store, _job, id) => store.cancelAttempt(cancelAttemptCommand(id))],
  ["resolution", "resolved", "FAILED", (store, _job, id) => store.resolveAttempt(resolveCommand(id, foundFailed))],
];

async function overdueJob() {
  const { jobId, claim } = await race.startJob();
  await overdue(race.sql, [claim.attempt.id]);
  return { jobId, attemptId: claim.attempt.id };
}

test.each(ends)("a %s behind the sweep ends the attempt that it made UNKNOWN", async (_name, kind, jobState, send) => {
  const { jobId, attemptId } = await overdueJob();
  const held = await holdAttempt(race.sql, attemptId);
  const sweep = await held.line(() => race.other.expireAttempts(10));
  const ending = await held.line(() => send(race.store, jobId, attemptId));
  await held.release();
  expect(await sweep.answer).toHaveLength(1);
  expect(await ending.answer).toMatchObject({ kind });
  expect(await race.job(jobId)).toMatchObject({ state: jobState, version: 2 });
  expect((await race.attempts(jobId))[0]).toMatchObject({ effectUncertain: true });
  expect(await race.events(jobId)).toContain("ATTEMPT_UNKNOWN");
});

test.each(ends)("the sweep passes by a job whose %s is under way", async (_name, kind, jobState, send) => {
  const { jobId, attemptId } = await overdueJob();
  const held = await holdAttempt(race.sql, attemptId);
  const ending = await held.line(() => send(race.store, jobId, attemptId));
  expect(await race.other.expireAttempts(10)).toEqual([]);
  await held.release();
  expect(await ending.answer).toMatchObject({ kind });
  expect(await race.job(jobId)).toMatchObject({ state: jobState });
});

test.each(ends)(
  "a sweep that saw the attempt overdue before its %s changes nothing",
  async (_name, kind, jobState, send) => {
    const { jobId, attemptId } = await overdueJob();
    const clock = await holdClock(race.sql);
    const sweep = await lineUp(race.sql, () => race.other.expireAttempts(10));
    expect(await send(race.store, jobId, attemptId)).toMatchObject({ kind });
    const before = await readRows(race.sql, jobId);
    await clock.release();
    expect(await sweep.answer).toEqual([]);
    expect(await readRows(race.sql, jobId)).toEqual(before);
    expect(await race.job(jobId)).toMatchObject({ state: jobState });
  },
);
