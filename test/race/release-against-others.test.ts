/** releaseKey against a late result, a second release and the key's next intent, in both orders: nothing of the job stays behind. */
import { expect, test } from "vitest";
import { holdJob } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { createCommand, operator, reportOf } from "../support/store-kit.ts";

const race = openRace();

/** A succeeded job that retention has stripped. */
async function purgedJob() {
  const { jobId, claim } = await race.startJob();
  await race.store.completeAttempt({ ...reportOf(claim), result: 1 });
  await race.sql`update jobs set input = null, metadata = null, result = null, purged_at = onejob_now() where id = ${jobId}`;
  const { idempotencyKey } = await race.job(jobId);
  const release = { ownerId: "ann", idempotencyKey, reason: "asked by ann", actor: operator };
  return { jobId, claim, release, late: { ...reportOf(claim), result: 2 } };
}

async function countRows(jobId: string): Promise<number> {
  const [row] = await race.sql<{ rows: number }[]>`
    select ((select count(*) from jobs where id = ${jobId}) + (select count(*) from attempts where job_id = ${jobId})
      + (select count(*) from job_events where job_id = ${jobId}))::int as rows`;
  return row?.rows ?? -1;
}

test("a late result's record that comes first goes with the job", async () => {
  const { jobId, release, late } = await purgedJob();
  const held = await holdJob(race.sql, jobId);
  const completion = await held.line(() => race.store.completeAttempt(late));
  const released = await held.line(() => race.other.releaseKey(release));
  await held.release();
  expect(await completion.answer).toMatchObject({ kind: "discarded" });
  expect(await released.answer).toEqual({ kind: "released", jobId });
  expect(await countRows(jobId)).toBe(0);
});

test("a late result that comes after the release finds nothing", async () => {
  const { jobId, release, late } = await purgedJob();
  const held = await holdJob(race.sql, jobId);
  const released = await held.line(() => race.other.releaseKey(release));
  const completion = await held.line(() => race.store.completeAttempt(late));
  await held.release();
  expect(await released.answer).toEqual({ kind: "released", jobId });
  expect(await completion.answer).toEqual({ kind: "not-found" });
  expect(await countRows(jobId)).toBe(0);
});

test("of two releases one removes the job, and one act is recorded", async () => {
  const { jobId, release } = await purgedJob();
  const held = await holdJob(race.sql, jobId);
  const first = await held.line(() => race.store.releaseKey(release));
  const second = await held.line(() => race.other.releaseKey(release));
  await held.release();
  expect(await first.answer).toEqual({ kind: "released", jobId });
  expect(await second.answer).toEqual({ kind: "not-found" });
  const acts =
    await race.sql`select actor, reason from audit_log where detail->>'idempotencyKey' = ${release.idempotencyKey}`;
  expect([...acts]).toEqual([{ actor: "olga", reason: "asked by ann" }]);
});

test("before the release the key conflicts, after it a new intent is recorded under it", async () => {
  const { jobId, release } = await purgedJob();
  const next = createCommand({ idempotencyKey: release.idempotencyKey, givenDigest: "another" });
  expect(await race.store.createJob(next)).toMatchObject({ created: false, holder: { jobId } });
  await race.other.releaseKey(release);
  expect(await race.store.createJob(next)).toMatchObject({ created: true });
  expect(await race.other.releaseKey(release)).toMatchObject({ kind: "in-use" });
});
