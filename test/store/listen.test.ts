/** PostgreSQL's NOTIFY as the doorbell between the processes on one database, also after its connection broke. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Hint, Store } from "../../src/store/store.ts";
import { mentions, record, testDoorbell, untilHeard } from "../support/doorbell-rules.ts";
import { claimOne, createOne } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";

describe("PostgreSQL as a doorbell", () => {
  testDoorbell(() => ({}));
});

describe("a LISTEN connection", () => {
  let db: TestStore;
  let other: Store;
  beforeEach(async () => {
    db = await openTestStore();
    other = await db.openAnother();
  });
  afterEach(() => db.close());

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
});
