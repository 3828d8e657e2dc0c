/** Two writers in line on one job, both successful: their events are numbered and timed in the order in which they wrote (I8). */
import { expect, test } from "vitest";
import type { Store } from "../../src/store/store.ts";
import type { Claim } from "../../src/store/worker-commands.ts";
import { holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { cancelAttemptCommand, cancelJobCommand, failureOf, reportOf, retryCommand } from "../support/store-kit.ts";

const race = openRace();

type Send = (store: Store, claim: Claim) => Promise<{ kind: string }>;

const followers: readonly (readonly [name: string, last: string, send: Send])[] = [
  ["completion", "JOB_SUCCEEDED", (store, claim) => store.completeAttempt({ ...reportOf(claim), result: 1 })],
  ["failure", "JOB_FAILED", (store, claim) => store.failAttempt(failureOf(claim))],
  ["uncertain failure", "ATTEMPT_UNKNOWN", (store, claim) => store.failAttempt(failureOf(claim, { certain: false }))],
  ["cancelAttempt", "JOB_FAILED", (store, claim) => store.cancelAttempt(cancelAttemptCommand(claim.attempt.id))],
  ["cancelJob", "JOB_CANCELLED", (store, claim) => store.cancelJob(cancelJobCommand(claim.attempt.jobId))],
];

/** In the log's order; equal to themselves sorted only if time never runs backwards. */
async function timesOf(jobId: string): Promise<number[]> {
  const events = await race.store.read.events([{ jobId, number: 0 }], 100);
  return events.map((event) => event.at.getTime());
}

test.each(followers)(
  "a %s that began to wait before RUNNING was written is told after it, and not earlier",
  async (_name, last, send) => {
    const { jobId, claim } = await race.startJob();
    const held = await holdJob(race.sql, jobId);
    const running = await held.line(() => race.store.markRunning({ ...reportOf(claim), providerRequestId: null }));
    const follower = await held.line(() => send(race.other, claim));
    await held.release();
    expect(await running.answer).toMatchObject({ kind: "running" });
    await follower.answer;
    const types = await race.events(jobId);
    expect(types.slice(0, 4)).toEqual(["JOB_CREATED", "ATTEMPT_QUEUED", "ATTEMPT_STARTING", "ATTEMPT_RUNNING"]);
    expect(types.at(-1)).toBe(last);
    const times = await timesOf(jobId);
    expect(times).toEqual(times.toSorted((one, two) => one - two));
  },
);

test("a retry that began to wait before a discard was written is told after it, and not earlier", async () => {
  const { jobId, claim } = await race.startJob();
  await race.store.cancelAttempt(cancelAttemptCommand(claim.attempt.id));
  const held = await holdJob(race.sql, jobId);
  const discard = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: "late" }));
  const retry = await held.line(() => race.other.retryJob(retryCommand(jobId, claim.attempt.id)));
  await held.release();
  expect(await discard.answer).toMatchObject({ kind: "discarded" });
  expect(await retry.answer).toMatchObject({ kind: "started" });
  expect((await race.events(jobId)).slice(-2)).toEqual(["RESULT_DISCARDED", "ATTEMPT_QUEUED"]);
  const times = await timesOf(jobId);
  expect(times).toEqual(times.toSorted((one, two) => one - two));
});
