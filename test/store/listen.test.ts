/** Hints between the processes on one database: what one commits the others hear, itself only once, also after the connection broke. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Hint, Store } from "../../src/store/store.ts";
import { cancelJobCommand, claimOne, createCommand, createOne, failureOf, reportOf } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";

let db: TestStore;
let other: Store;
beforeEach(async () => {
  db = await openTestStore();
  other = await db.openAnother();
});
afterEach(() => db.close());

function record(store: Store): Hint[] {
  const hints: Hint[] = [];
  store.onHint((hint) => hints.push(hint));
  return hints;
}

const mentions = (hints: readonly Hint[], jobId: string) => hints.filter((hint) => hint.jobIds.includes(jobId));

/** Both stores' LISTEN connections are up once each hears what the other writes. */
async function untilHeard(writer: Store, hearer: Store): Promise<void> {
  const hints = record(hearer);
  await waitUntil(
    "what one store writes is heard by the other",
    async () => {
      const jobId = await createOne(writer);
      return mentions(hints, jobId).length > 0;
    },
    18_000,
  );
}

test("every kind of commit is heard by another process, which learns whether an attempt may be waiting", async () => {
  await untilHeard(db.store, other);
  const hints = record(other);
  const heard = (jobId: string, count: number) =>
    waitUntil(`${count} hints about the job`, () => {
      const about = mentions(hints, jobId);
      return about.length >= count ? about.map((hint) => hint.queued) : null;
    });
  const provider = { provider: "own", providerRevision: "1", attemptTimeoutMs: 60_000, leaseMs: 60_000 };
  const jobId = await createOne(db.store, { terms: provider });
  expect(await heard(jobId, 1)).toEqual([true]);
  const claim = await claimOne(db.store, ["own"]);
  expect(await heard(jobId, 2)).toEqual([true, false]);
  await db.store.markRunning({ ...reportOf(claim), providerRequestId: null });
  await db.store.heartbeat({ ...reportOf(claim), progress: { fraction: 0.5, message: null } });
  expect(await heard(jobId, 4)).toEqual([true, false, false, false]);
  const failure = { code: "BUSY", message: "", remedy: "SAME_PROVIDER" } as const;
  await db.store.failAttempt(failureOf(claim, { failure }));
  expect(await heard(jobId, 5)).toEqual([true, false, false, false, true]);
  await db.store.cancelJob(cancelJobCommand(jobId));
  await db.store.completeAttempt({ ...reportOf(claim), result: "too late" });
  expect(await heard(jobId, 7)).toEqual([true, false, false, false, true, false, false]);
});

test("a batch is one hint with the ids of all its jobs", async () => {
  await untilHeard(db.store, other);
  const hints = record(other);
  const answers = await Promise.all(Array.from({ length: 20 }, () => db.store.createJob(createCommand())));
  const jobIds = answers.flatMap((answer) => (answer.created ? [answer.jobId] : []));
  await waitUntil("all jobs are heard of", () => jobIds.every((jobId) => mentions(hints, jobId).length > 0));
  expect(hints.map((hint) => hint.jobIds.toSorted())).toEqual([jobIds.toSorted()]);
});

test("a process hears of its own commits once, at once, and not again from the database", async () => {
  await untilHeard(db.store, other);
  await untilHeard(other, db.store);
  const hints = record(db.store);
  const mine = await createOne(db.store);
  expect(hints).toEqual([{ jobIds: [mine], queued: true }]);
  // Notifications come in the order of their commits: once the other's is here, one of the own would have come too.
  const theirs = await createOne(other);
  await waitUntil("the other store's hint", () => mentions(hints, theirs).length > 0);
  expect(hints).toEqual([
    { jobIds: [mine], queued: true },
    { jobIds: [theirs], queued: true },
  ]);
});

test("a heartbeat without progress, a refusal and a repeat tell nobody anything", async () => {
  await untilHeard(db.store, other);
  // It comes before all those that were made to be heard.
  const jobId = await createOne(db.store, { idempotencyKey: "once", priority: 100 });
  const before = record(other);
  const claim = await claimOne(db.store);
  await waitUntil("the claim is heard of", () => mentions(before, jobId).some((hint) => !hint.queued));
  const [mine, theirs] = [record(db.store), record(other)];
  await db.store.heartbeat({ ...reportOf(claim), progress: null });
  await createOne(db.store, { idempotencyKey: "once" });
  await db.store.completeAttempt({ ...reportOf(claim), leaseToken: "wrong", result: 1 });
  expect(mine).toEqual([]);
  const last = await createOne(db.store);
  await waitUntil("the last hint", () => mentions(theirs, last).length > 0);
  expect(mentions(theirs, jobId)).toEqual([]);
});

test("after its LISTEN backend was terminated a store hears again what is written later", async () => {
  await untilHeard(db.store, other);
  const killed = await db.sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'onejob listen%' and query ilike 'listen%'`;
  expect(killed).toHaveLength(2);
  await untilHeard(db.store, other);
  await untilHeard(other, db.store);
});

test("after its other backends were terminated a store goes on as well", async () => {
  await db.sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'onejob'`;
  const written = await waitUntil("a job is created again", () => createOne(db.store).catch(() => null));
  const jobs = await waitUntil("jobs are read again", () => db.store.read.jobs([written], null).catch(() => null));
  expect(jobs.map((job) => job.id)).toEqual([written]);
});

test("a store whose LISTEN connection was cut is told so, once it listens again", async () => {
  await untilHeard(db.store, other);
  let gaps = 0;
  other.onGap(() => (gaps += 1));
  await untilHeard(db.store, other);
  expect(gaps).toBe(0);
  await db.sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'onejob listen%'`;
  await waitUntil("the gap is told", () => gaps > 0);
  // Whatever is written from now on is heard: no second look is needed.
  const hints = record(other);
  const jobId = await createOne(db.store);
  await waitUntil("the job is heard of", () => mentions(hints, jobId).length > 0);
});

test("where there is no room for a notification a claim goes through without it, and the others are told of the gap", async () => {
  await untilHeard(db.store, other);
  // The first commit that claims is refused as PostgreSQL refuses it with a full queue; sequences know no rollback.
  await db.sql.unsafe(`
    create sequence refusals;
    create function refuse_once() returns trigger language plpgsql as $$
    begin
      if nextval('refusals') = 1 then raise exception using errcode = '54000', message = 'too many notifications'; end if;
      return null;
    end $$;
    create constraint trigger full_queue after update on jobs deferrable initially deferred for each row
      when (new.state = 'RUNNING') execute function refuse_once()`);
  let gaps = 0;
  other.onGap(() => (gaps += 1));
  const hints = record(other);
  const jobId = await createOne(db.store, { priority: 100 });
  expect((await claimOne(db.store)).attempt.jobId).toBe(jobId);
  await waitUntil("the gap is told", () => gaps > 0);
  expect(mentions(hints, jobId).map((hint) => hint.queued)).toEqual([true]);
});

test("who has stopped listening is told nothing more", async () => {
  const hints: Hint[] = [];
  const stop = db.store.onHint((hint) => hints.push(hint));
  await createOne(db.store);
  stop();
  await createOne(db.store);
  expect(hints).toHaveLength(1);
});
