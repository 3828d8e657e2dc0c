/** One late result sent by many at once: the lost race is recorded once for each attempt and result, and all get the same answer (I5). */
import { expect, test } from "vitest";
import type { CompleteAttemptAnswer } from "../../src/store/worker-commands.ts";
import { holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { cancelAttemptCommand, reportOf } from "../support/store-kit.ts";

const race = openRace();

async function cancelledAttempt() {
  const { jobId, claim } = await race.startJob();
  await race.store.cancelAttempt(cancelAttemptCommand(claim.attempt.id));
  return { jobId, claim };
}

async function countDiscards(jobId: string): Promise<number> {
  return (await race.events(jobId)).filter((type) => type === "RESULT_DISCARDED").length;
}

test("twenty times the same late result from five processes is recorded once", async () => {
  const { jobId, claim } = await cancelledAttempt();
  const stores = [race.store, race.other, await race.openAnother(), await race.openAnother(), await race.openAnother()];
  const held = await holdJob(race.sql, jobId);
  const answers: Promise<CompleteAttemptAnswer>[] = [];
  for (const store of stores) {
    const send = () => store.completeAttempt({ ...reportOf(claim), result: { page: 1 } });
    answers.push((await held.line(send)).answer, send(), send(), send());
  }
  await held.release();
  for (const answer of await Promise.all(answers)) {
    expect(answer).toEqual({ kind: "discarded", jobId, attemptId: claim.attempt.id, winnerId: null });
  }
  expect(answers).toHaveLength(20);
  expect(await countDiscards(jobId)).toBe(1);
});

test("of two late results that differ, each is recorded, in the order in which they lined up", async () => {
  const { jobId, claim } = await cancelledAttempt();
  const held = await holdJob(race.sql, jobId);
  const first = await held.line(() => race.store.completeAttempt({ ...reportOf(claim), result: "short" }));
  const second = await held.line(() => race.other.completeAttempt({ ...reportOf(claim), result: "longer" }));
  await held.release();
  expect(await first.answer).toMatchObject({ kind: "discarded" });
  expect(await second.answer).toMatchObject({ kind: "discarded" });
  const events = await race.store.read.events([{ jobId, number: 0 }], 100);
  const sizes = events.flatMap((event) => (event.type === "RESULT_DISCARDED" ? [event.detail] : []));
  expect(sizes).toMatchObject([{ bytes: 7 }, { bytes: 8 }]);
});
