/** What the triggers must let pass although it touches what is over: late marks, the log's count, retention, and the release of a key. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestStore, type TestStore } from "../support/test-store.ts";
import { fillIn, type Ids, refusalOf, seedJobs } from "../support/write-in-psql.ts";

let db: TestStore;
let ids: Ids;
beforeEach(async () => {
  db = await openTestStore();
  ids = await seedJobs(db.store, db.sql);
});
afterEach(() => db.close());

const run = (statement: string) => refusalOf(db.sql, fillIn(statement, ids));

const strip =
  "update jobs set input = null, metadata = null, result = null, purged_at = onejob_now() where id = {succeeded}";

test("a late result is marked on an attempt that has ended", async () => {
  for (const attempt of ["{succeeded.first}", "{cancelled.last}", "{failed.last}"]) {
    expect(await run(`update attempts set late_result_at = onejob_now() where id = ${attempt}`)).toBeNull();
  }
});

test("the log of a closed job goes on: its count rises with an event", async () => {
  const told = `with counted as (update jobs set event_count = event_count + 1 where id = {cancelled} returning id, event_count)
    insert into job_events (job_id, number, type, job_state, attempt_id, attempt_state, cause, result_digest, at)
    select id, event_count, 'RESULT_DISCARDED', 'CANCELLED', {cancelled.last}, 'CANCELLED', 'WORKER', 'digest', onejob_now() from counted`;
  expect(await run(told)).toBeNull();
});

test("retention strips a closed job, once and again, and the key stays bound", async () => {
  expect(await run(strip)).toBeNull();
  expect(await run(strip)).toBeNull();
  const holders = await db.store.read.keyHolders("ann", ["succeeded"]);
  expect(holders.get("succeeded")).toMatchObject({ jobId: ids.succeeded });
  const [job] = await db.store.read.jobs([ids.succeeded!], null);
  expect(job).toMatchObject({ state: "SUCCEEDED", completedBy: ids["succeeded.last"], input: null, result: null });
  expect(job?.purgedAt).not.toBeNull();
});

test("what retention has taken does not come back", async () => {
  await run(strip);
  const refused = { state: expect.stringMatching(/^OJ00[257]$/) };
  expect(await run("update jobs set purged_at = null where id = {succeeded}")).toMatchObject(refused);
  expect(await run("update jobs set result = '1' where id = {succeeded}")).toMatchObject(refused);
  expect(await run("update jobs set input = '1' where id = {succeeded}")).toMatchObject(refused);
});

test("a purged job may be deleted with its attempts and events, which frees its key; another one's may not", async () => {
  await run(strip);
  const release = (job: string) => `with events as (delete from job_events where job_id = ${job}),
    tries as (delete from attempts where job_id = ${job}) delete from jobs where id = ${job}`;
  expect(await run(release("{succeeded}"))).toBeNull();
  expect((await db.store.read.keyHolders("ann", ["succeeded"])).size).toBe(0);
  expect(await run(release("{cancelled}"))).toMatchObject({ state: expect.stringMatching(/^OJ00[18]$/) });
});

test("a failed job may be opened again with a next attempt, as retryJob does", async () => {
  const next = "'01890000-0000-7000-8000-000000000001'";
  const reopen = `with opened as (update jobs set state = 'QUEUED', failure = null, latest_attempt = ${next}, attempt_count = 2
      where id = {failed})
    insert into attempts (id, job_id, number, provider, provider_revision, owner_id, operation, attempt_timeout_ms, lease_ms, state,
      state_changed_at, job_version, run_at, created_at, uncertified_by)
    values (${next}, {failed}, 2, 'laser', '1', 'ann', 'print', 1000, 1000, 'QUEUED', onejob_now(), 2, onejob_now(), onejob_now(), 'olga')`;
  expect(await run(reopen)).toBeNull();
});
