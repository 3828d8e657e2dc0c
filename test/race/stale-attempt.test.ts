/** Every report about an attempt that is over or someone else's, after its end and in line behind it: refused, and nothing written (I6, I12). */
import { expect, test } from "vitest";
import type { Store } from "../../src/store/store.ts";
import type { Claim, WorkerReport } from "../../src/store/worker-commands.ts";
import { holdAttempt } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { readRows } from "../support/read-rows.ts";
import { cancelAttemptCommand, failureOf, reportOf, retryCommand } from "../support/store-kit.ts";

const race = openRace();
const retried = { code: "BUSY", message: "Try again.", remedy: "SAME_PROVIDER" } as const;
const progress = { fraction: 0.5, message: "half" };

type Report = (store: Store, claim: Claim, report: WorkerReport) => Promise<{ kind: string }>;

const reports: readonly (readonly [name: string, send: Report])[] = [
  ["heartbeat", (store, _claim, report) => store.heartbeat({ ...report, progress: null })],
  ["progress", (store, _claim, report) => store.heartbeat({ ...report, progress })],
  ["markRunning", (store, _claim, report) => store.markRunning({ ...report, providerRequestId: "late" })],
  ["certain failure", (store, claim, report) => store.failAttempt({ ...failureOf(claim), ...report })],
  [
    "failure with a retry",
    (store, claim, report) => store.failAttempt({ ...failureOf(claim, { failure: retried }), ...report }),
  ],
  [
    "uncertain failure",
    (store, claim, report) => store.failAttempt({ ...failureOf(claim, { certain: false }), ...report }),
  ],
];

/** The first attempt was cancelled; the one after it runs. */
async function followedAttempt() {
  const { jobId, claim: stale } = await race.startJob();
  await race.store.cancelAttempt(cancelAttemptCommand(stale.attempt.id));
  await race.store.retryJob(retryCommand(jobId, stale.attempt.id));
  const fresh = await race.claimJob(jobId);
  await race.store.markRunning({ ...reportOf(fresh), providerRequestId: null });
  return { jobId, stale, fresh };
}

test.each(reports)(
  "a %s about an attempt that is over is refused as closed and changes no row",
  async (_name, send) => {
    const { jobId, stale } = await followedAttempt();
    const before = await readRows(race.sql, jobId);
    expect(await send(race.store, stale, reportOf(stale))).toMatchObject({ kind: "closed" });
    expect(await readRows(race.sql, jobId)).toEqual(before);
  },
);

test.each(reports)(
  "a %s about the running attempt, with the old one's token, is refused and changes no row",
  async (_name, send) => {
    const { jobId, stale, fresh } = await followedAttempt();
    const before = await readRows(race.sql, jobId);
    const mixed = { ...reportOf(fresh), leaseToken: stale.leaseToken };
    expect(await send(race.store, fresh, mixed)).toMatchObject({ kind: "lease-lost" });
    expect(await readRows(race.sql, jobId)).toEqual(before);
  },
);

test.each(reports)(
  "a %s by a worker for other providers is answered as if there were no such attempt",
  async (_name, send) => {
    const { jobId, stale, fresh } = await followedAttempt();
    const before = await readRows(race.sql, jobId);
    const foreign = { ...reportOf(stale), providers: ["another"] };
    expect(await send(race.store, stale, foreign)).toEqual({ kind: "not-found" });
    expect(await send(race.store, fresh, { ...reportOf(fresh), leaseToken: "guess", providers: ["another"] })).toEqual({
      kind: "not-found",
    });
    expect(await readRows(race.sql, jobId)).toEqual(before);
  },
);

test.each(reports)(
  "a %s in line behind the cancellation of its attempt is refused and leaves no trace",
  async (_name, send) => {
    const { jobId, claim } = await race.startJob();
    const held = await holdAttempt(race.sql, claim.attempt.id);
    const cancellation = await held.line(() => race.other.cancelAttempt(cancelAttemptCommand(claim.attempt.id)));
    const report = await held.line(() => send(race.store, claim, reportOf(claim)));
    await held.release();
    expect(await cancellation.answer).toMatchObject({ kind: "cancelled", repeated: false });
    expect(await report.answer).toMatchObject({ kind: "closed" });
    expect((await race.events(jobId)).slice(-2)).toEqual(["ATTEMPT_CANCELLED", "JOB_FAILED"]);
    expect(await race.attempts(jobId)).toMatchObject([
      {
        state: "CANCELLED",
        leaseExpiresAt: null,
        progress: null,
        providerRequestId: null,
        failure: { code: "ATTEMPT_CANCELLED" },
      },
    ]);
  },
);

test("a result of an attempt that is over, while the one after it runs, writes its record and nothing else", async () => {
  const { jobId, stale, fresh } = await followedAttempt();
  const before = await race.job(jobId);
  const [, freshBefore] = await race.attempts(jobId);
  const late = await race.store.completeAttempt({ ...reportOf(stale), result: "late" });
  expect(late).toEqual({ kind: "discarded", jobId, attemptId: stale.attempt.id, winnerId: null });
  expect(await race.job(jobId)).toEqual({ ...before, eventCount: before.eventCount + 1 });
  expect((await race.attempts(jobId))[1]).toEqual(freshBefore);
  const recorded = await readRows(race.sql, jobId);
  expect(await race.other.completeAttempt({ ...reportOf(stale), result: "late" })).toEqual(late);
  expect(await readRows(race.sql, jobId)).toEqual(recorded);
  const answer = await race.store.completeAttempt({ ...reportOf(fresh), result: "fresh" });
  expect(answer).toMatchObject({ kind: "completed", repeated: false });
});
