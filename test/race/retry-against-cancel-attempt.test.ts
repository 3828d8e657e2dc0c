/** retryJob against cancelAttempt, in both orders: nothing starts before the attempt has ended, and no late cancellation reaches the next one (I3, I6). */
import { expect, test } from "vitest";
import { holdInserts, holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { cancelAttemptCommand, retryCommand } from "../support/store-kit.ts";

const race = openRace();

test("a retry while the cancellation is under way is told that the attempt is in flight, and starts once it has ended", async () => {
  const { jobId, claim } = await race.startJob();
  const { id } = claim.attempt;
  const held = await holdJob(race.sql, jobId);
  const cancellation = await held.line(() => race.other.cancelAttempt(cancelAttemptCommand(id)));
  expect(await race.store.retryJob(retryCommand(jobId, id))).toEqual({ kind: "in-flight", jobId, attemptId: id });
  await held.release();
  expect(await cancellation.answer).toMatchObject({ kind: "cancelled", repeated: false });
  expect(await race.store.retryJob(retryCommand(jobId, id))).toMatchObject({ kind: "started" });
});

test("a cancellation repeated while the retry is under way finds its attempt cancelled, and leaves the next one alone", async () => {
  const { jobId, claim } = await race.startJob();
  const { id } = claim.attempt;
  await race.store.cancelAttempt(cancelAttemptCommand(id));
  const held = await holdInserts(race.sql, "attempts");
  const retry = await held.line(() => race.store.retryJob(retryCommand(jobId, id)));
  expect(await race.other.cancelAttempt(cancelAttemptCommand(id))).toMatchObject({ kind: "cancelled", repeated: true });
  await held.release();
  expect(await retry.answer).toMatchObject({ kind: "started" });
  expect((await race.attempts(jobId)).map((one) => one.state)).toEqual(["CANCELLED", "QUEUED"]);
});
