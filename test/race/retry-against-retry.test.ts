/** retryJob against retryJob: two clicks start one attempt, from whichever process, and the other click is told which (I3). */
import { expect, test } from "vitest";
import { holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { failureOf, retryCommand } from "../support/store-kit.ts";

const race = openRace();

async function failedJob() {
  const { jobId, claim } = await race.startJob();
  await race.store.failAttempt(failureOf(claim));
  return { jobId, endedId: claim.attempt.id };
}

test.each(["first", "second"])(
  "the click that reaches the job first, of the %s process, starts the attempt",
  async (which) => {
    const { jobId, endedId } = await failedJob();
    const [ahead, behind] = which === "first" ? [race.store, race.other] : [race.other, race.store];
    const held = await holdJob(race.sql, jobId);
    const first = await held.line(() => ahead.retryJob(retryCommand(jobId, endedId)));
    const second = await held.line(() => behind.retryJob(retryCommand(jobId, endedId)));
    await held.release();
    const started = await first.answer;
    if (started.kind !== "started") throw new Error(`The first click was answered ${started.kind}.`);
    expect(await second.answer).toEqual({ kind: "in-flight", jobId, attemptId: started.attemptId });
    expect((await race.attempts(jobId)).map((one) => one.state)).toEqual(["FAILED", "QUEUED"]);
  },
);

test("thirty clicks at once on two processes start one attempt, and all others name it", async () => {
  const { jobId, endedId } = await failedJob();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      (index % 2 === 0 ? race.store : race.other).retryJob(retryCommand(jobId, endedId)),
    ),
  );
  const started = answers.filter((answer) => answer.kind === "started");
  expect(started).toHaveLength(1);
  const attemptId = (await race.job(jobId)).latestAttempt;
  expect(answers.every((answer) => "attemptId" in answer && answer.attemptId === attemptId)).toBe(true);
});

test("a click about an attempt that has been followed meanwhile is outdated once the follower has ended", async () => {
  const { jobId, endedId } = await failedJob();
  await race.store.retryJob(retryCommand(jobId, endedId));
  const second = await race.claimJob(jobId);
  const held = await holdJob(race.sql, jobId);
  const failing = await held.line(() => race.store.failAttempt(failureOf(second)));
  const early = await race.other.retryJob(retryCommand(jobId, endedId));
  expect(early).toEqual({ kind: "in-flight", jobId, attemptId: second.attempt.id });
  await held.release();
  expect(await failing.answer).toMatchObject({ kind: "recorded" });
  const late = await race.other.retryJob(retryCommand(jobId, endedId));
  expect(late).toEqual({ kind: "outdated", jobId, latestAttemptId: second.attempt.id });
});
