/** resolveAttempt against another resolution, against cancelAttempt and against cancelJob, in both orders: one of them decides. */
import { expect, test } from "vitest";
import { holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { cancelAttemptCommand, cancelJobCommand, foundFailed, loseOne, resolveCommand } from "../support/store-kit.ts";

const race = openRace();
const found = { kind: "SUCCEEDED", result: 1 } as const;

async function unknownJob() {
  const { jobId, claim } = await race.startJob();
  await loseOne(race.store, claim);
  return { jobId, id: claim.attempt.id, held: await holdJob(race.sql, jobId) };
}

async function countEntries(): Promise<number> {
  const [row] = await race.sql<{ entries: number }[]>`select count(*)::int as entries from audit_log`;
  return row?.entries ?? -1;
}

test("of two operators with the same outcome both succeed, and one act is recorded", async () => {
  const { jobId, id, held } = await unknownJob();
  const before = await countEntries();
  const first = await held.line(() => race.store.resolveAttempt(resolveCommand(id, found)));
  const second = await held.line(() => race.other.resolveAttempt(resolveCommand(id, found)));
  await held.release();
  expect(await first.answer).toMatchObject({ kind: "resolved", repeated: false });
  expect(await second.answer).toMatchObject({ kind: "resolved", repeated: true });
  expect((await race.events(jobId)).slice(-3)).toEqual(["ATTEMPT_UNKNOWN", "ATTEMPT_SUCCEEDED", "JOB_SUCCEEDED"]);
  expect(await countEntries()).toBe(before + 1);
});

test("of two operators with different outcomes the first decides, and the other is told", async () => {
  const { jobId, id, held } = await unknownJob();
  const failed = await held.line(() => race.store.resolveAttempt(resolveCommand(id, foundFailed)));
  const succeeded = await held.line(() => race.other.resolveAttempt(resolveCommand(id, found)));
  await held.release();
  expect(await failed.answer).toMatchObject({ kind: "resolved" });
  expect(await succeeded.answer).toMatchObject({ kind: "discarded", winnerId: null });
  expect(await race.job(jobId)).toMatchObject({ state: "FAILED", completedBy: null });
});

test("a cancellation of the attempt that comes first leaves the resolution nothing but a discard", async () => {
  const { jobId, id, held } = await unknownJob();
  const cancellation = await held.line(() => race.store.cancelAttempt(cancelAttemptCommand(id)));
  const resolution = await held.line(() => race.other.resolveAttempt(resolveCommand(id, found)));
  await held.release();
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled" });
  expect(await resolution.answer).toMatchObject({ kind: "discarded", winnerId: null });
  expect((await race.events(jobId)).at(-1)).toBe("RESULT_DISCARDED");
});

test("a resolution that comes first leaves no attempt to be cancelled", async () => {
  const { jobId, id, held } = await unknownJob();
  const resolution = await held.line(() => race.store.resolveAttempt(resolveCommand(id, found)));
  const cancellation = await held.line(() => race.other.cancelAttempt(cancelAttemptCommand(id)));
  await held.release();
  expect(await resolution.answer).toMatchObject({ kind: "resolved" });
  expect(await cancellation.answer).toEqual({ kind: "closed", attemptId: id });
  expect(await race.job(jobId)).toMatchObject({ state: "SUCCEEDED", result: 1 });
});

test("a withdrawal of the job that comes first closes it, and the resolution FAILED finds the attempt ended", async () => {
  const { jobId, id, held } = await unknownJob();
  const withdrawal = await held.line(() => race.store.cancelJob(cancelJobCommand(jobId)));
  const resolution = await held.line(() => race.other.resolveAttempt(resolveCommand(id, foundFailed)));
  await held.release();
  expect(await withdrawal.answer).toMatchObject({ kind: "cancelled", cancelledAttemptId: id });
  expect(await resolution.answer).toEqual({ kind: "closed", attemptId: id });
});

test("a resolution FAILED that comes first leaves a job that may still be withdrawn", async () => {
  const { jobId, id, held } = await unknownJob();
  const resolution = await held.line(() => race.store.resolveAttempt(resolveCommand(id, foundFailed)));
  const withdrawal = await held.line(() => race.other.cancelJob(cancelJobCommand(jobId)));
  await held.release();
  expect(await resolution.answer).toMatchObject({ kind: "resolved" });
  expect(await withdrawal.answer).toMatchObject({ kind: "cancelled", cancelledAttemptId: null });
  expect(await race.job(jobId)).toMatchObject({ state: "CANCELLED" });
});
