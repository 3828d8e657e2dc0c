/** checkInvariants itself: rows broken behind the triggers' back are found, each under its own rule, and rows that are well are not. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkInvariants } from "../support/check-invariants.ts";
import { cancelAttemptCommand, claimOne, createOne, failureOf, reportOf, retryCommand } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
let jobs: Jobs;
beforeAll(async () => {
  db = await openTestStore();
  jobs = await fill();
});
afterAll(() => db.close());

/** One job of each kind: waiting, running, won by its second attempt after a late result was discarded. */
async function fill() {
  const { store } = db;
  const won = await createOne(store);
  const first = await claimOne(store);
  await store.cancelAttempt(cancelAttemptCommand(first.attempt.id));
  await store.completeAttempt({ ...reportOf(first), result: "late" });
  await store.retryJob(retryCommand(won, first.attempt.id));
  await store.completeAttempt({ ...reportOf(await claimOne(store)), result: "fresh" });
  const failed = await createOne(store);
  await store.failAttempt(failureOf(await claimOne(store)));
  const running = await createOne(store);
  await claimOne(store);
  const queued = await createOne(store);
  return { won, failed, running, queued };
}

/** What is found after these statements, run as a superuser without triggers and foreign keys; then all is as before. */
async function findBroken(statements: readonly string[]): Promise<string[]> {
  const session = await db.sql.reserve();
  try {
    await session`begin`;
    await session`set local session_replication_role = replica`;
    for (const statement of statements) await session.unsafe(statement);
    return await checkInvariants(session);
  } finally {
    await session`rollback`;
    session.release();
  }
}

type Jobs = Awaited<ReturnType<typeof fill>>;

const cases: readonly (readonly [rule: string, statements: (jobs: Jobs) => string[]])[] = [
  [
    "I1: one job for each owner and key",
    ({ queued, running }) => [
      "alter table jobs drop constraint jobs_owner_key",
      `update jobs set idempotency_key = (select idempotency_key from jobs where id = '${running}') where id = '${queued}'`,
    ],
  ],
  [
    "I3: at most one live attempt",
    ({ queued }) => [
      "drop index attempts_one_live",
      `insert into attempts (id, job_id, number, provider, provider_revision, owner_id, operation, attempt_timeout_ms, lease_ms, state,
         state_changed_at, job_version, run_at, created_at)
       select gen_random_uuid(), job_id, 2, provider, provider_revision, owner_id, operation, attempt_timeout_ms, lease_ms, state,
         state_changed_at, 2, run_at, created_at from attempts where job_id = '${queued}'`,
    ],
  ],
  [
    "I4: an UNKNOWN attempt is of uncertain effect",
    ({ running }) => [`update attempts set state = 'UNKNOWN' where job_id = '${running}'`],
  ],
  [
    "I5: the slot is taken exactly when the job SUCCEEDED",
    ({ won }) => [
      "alter table jobs drop constraint jobs_slot_taken_when_succeeded, drop constraint jobs_result_of_winner",
      `update jobs set completed_by = null where id = '${won}'`,
    ],
  ],
  [
    "I5: the winner is a SUCCEEDED attempt of the job",
    ({ won }) => [
      `update jobs set completed_by = (select id from attempts where job_id = '${won}' and number = 1) where id = '${won}'`,
    ],
  ],
  [
    "I5: at most one attempt SUCCEEDED",
    ({ won }) => [`update attempts set state = 'SUCCEEDED' where job_id = '${won}'`],
  ],
  [
    "I5: no result outside the slot",
    ({ failed }) => [
      "alter table jobs drop constraint jobs_result_of_winner",
      `update jobs set result = '1' where id = '${failed}'`,
    ],
  ],
  [
    "I5: a discard is told once for each attempt and result",
    ({ won }) => [
      "drop index job_events_one_discard",
      `insert into job_events select job_id, event_count + 1, type, job_state, attempt_id, attempt_state, cause, actor, detail,
         result_digest, at from job_events join jobs on jobs.id = job_id where type = 'RESULT_DISCARDED' and job_id = '${won}'`,
    ],
  ],
  [
    "I6: the version is one, and one for each end",
    ({ failed }) => [`update jobs set version = 1 where id = '${failed}'`],
  ],
  [
    "I6: the fence of a live attempt is its job's version",
    ({ running }) => [`update jobs set version = 2 where id = '${running}'`],
  ],
  [
    "I6: an attempt's fence is the version after the ends before it",
    ({ won }) => [`update attempts set job_version = 3 where job_id = '${won}' and number = 2`],
  ],
  [
    "attempts are numbered without gaps up to the count",
    ({ queued }) => [`update jobs set attempt_count = 2 where id = '${queued}'`],
  ],
  [
    "the newest attempt is the one with the highest number",
    ({ won }) => [
      `update jobs set latest_attempt = (select id from attempts where job_id = '${won}' and number = 1) where id = '${won}'`,
    ],
  ],
  [
    "a job's state follows its newest attempt",
    ({ running }) => [`update jobs set state = 'UNKNOWN' where id = '${running}'`],
  ],
  [
    "a lease is held exactly while STARTING or RUNNING",
    ({ won }) => [`update attempts set lease_expires_at = now() where job_id = '${won}' and number = 1`],
  ],
  [
    "I8: events are numbered without gaps up to the count",
    ({ running }) => [`delete from job_events where job_id = '${running}' and number = 2`],
  ],
  [
    "I8: the times of events never run backwards",
    ({ running }) => [`update job_events set at = at - interval '1 hour' where job_id = '${running}' and number = 3`],
  ],
  [
    "I8: the log tells only moves that a job may make",
    ({ won }) => [`update job_events set job_state = 'CANCELLED' where job_id = '${won}' and number = 3`],
  ],
  [
    "I8: each change of an attempt's state is told once, from QUEUED to where it stands",
    ({ running }) => [`update attempts set state = 'RUNNING' where job_id = '${running}'`],
  ],
  [
    "a late result is marked on its attempt exactly when it is told",
    ({ won }) => [`update attempts set late_result_at = null where job_id = '${won}'`],
  ],
];

test("rows that only the store has written break no rule", async () => {
  expect(await findBroken([])).toEqual([]);
});

test.each(cases)("finds what breaks the rule: %s", async (rule, statements) => {
  const found = await findBroken(statements(jobs));
  expect(found.map((sentence) => sentence.slice(0, sentence.lastIndexOf(": ")))).toContain(rule);
});
