/** releaseKey against createJob with that key, in both orders: the create names the job that still is, or records a new one, never one that is gone (I1). */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { holdAttempt, holdJob, lineUp } from "../support/hold-job.ts";
import { openCreate } from "../support/open-create.ts";
import { openRace } from "../support/race.ts";
import { createCommand, operator, reportOf } from "../support/store-kit.ts";

const race = openRace();

async function purgedJob() {
  const idempotencyKey = `a-${randomUUID()}`;
  const { jobId, claim } = await race.startJob({ idempotencyKey });
  await race.store.completeAttempt({ ...reportOf(claim), result: 1 });
  await race.sql`update jobs set input = null, metadata = null, result = null, purged_at = onejob_now() where id = ${jobId}`;
  const release = { ownerId: "ann", idempotencyKey, reason: "asked by ann", actor: operator };
  return { jobId, attemptId: claim.attempt.id, release, create: createCommand({ idempotencyKey }) };
}

async function holders(idempotencyKey: string): Promise<string[]> {
  const rows = await race.sql<{ id: string }[]>`select id from jobs where idempotency_key = ${idempotencyKey}`;
  return rows.map(({ id }) => id);
}

test("a create behind a release that has deleted the job waits for it, and records a new job", async () => {
  const { jobId, attemptId, release, create } = await purgedJob();
  const held = await holdAttempt(race.sql, attemptId);
  const released = await held.line(() => race.other.releaseKey(release));
  const created = await held.line(() => race.store.createJob(create));
  await held.release();
  expect(await released.answer).toEqual({ kind: "released", jobId });
  const answer = await created.answer;
  if (!answer.created) throw new Error("The create names a job that is gone.");
  expect(answer.jobId).not.toBe(jobId);
  expect(await holders(release.idempotencyKey)).toEqual([answer.jobId]);
});

test("a create that met the key before its release, and reads its holder after it, records a new job", async () => {
  const { jobId, release, create } = await purgedJob();
  const blocker = createCommand({ idempotencyKey: `z-${randomUUID()}` });
  const third = await openCreate(race.url, race.sql, blocker);
  const created = await lineUp(race.sql, async () => {
    const [mine] = await Promise.all([race.store.createJob(create), race.store.createJob(blocker)]);
    return mine;
  });
  expect(await race.other.releaseKey(release)).toEqual({ kind: "released", jobId });
  await third.rollBack();
  const answer = await created.answer;
  if (!answer.created) throw new Error("The create names a job that is gone.");
  expect(await holders(release.idempotencyKey)).toEqual([answer.jobId]);
});

test("a create before a release that still waits for the job learns its holder, which the release then removes", async () => {
  const { jobId, release, create } = await purgedJob();
  const held = await holdJob(race.sql, jobId);
  const released = await held.line(() => race.other.releaseKey(release));
  expect(await race.store.createJob(create)).toMatchObject({ created: false, holder: { jobId } });
  await held.release();
  expect(await released.answer).toEqual({ kind: "released", jobId });
  expect(await holders(release.idempotencyKey)).toEqual([]);
});
