/** Redis as the doorbell between the processes on one database: the same as by NOTIFY, without a listening connection. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openClaimDesk } from "../../src/runtime/claim-desk.ts";
import { openStore } from "../../src/store/open-store.ts";
import { never, shop } from "../runtime/follow-kit.ts";
import { claimUnder, createPrint, keepLog } from "../runtime/print-jobs.ts";
import { record, testDoorbell, untilHeard } from "../support/doorbell-rules.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { createOne, operator } from "../support/store-kit.ts";
import { openTestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

describe("Redis as a doorbell", () => {
  testDoorbell(() => ({ redisUrl: redis.url }));
});

test("claims that wait in one process are woken by a job, and by a resumed provider, of another", async () => {
  const db = await openTestStore({ redisUrl: redis.url });
  const other = await db.openAnother();
  const catalog = shop();
  // No poll helps.
  const desk = openClaimDesk({ store: other, log: keepLog(), pollMs: never });
  const wait = () => desk.claim(claimUnder(catalog), 60_000).then(([claim]) => claim?.attempt.jobId);
  const waiting = wait();
  await waitUntil("it waits", () => desk.waitingCount() === 1);
  const first = await createPrint(db.store, catalog);
  expect(await waiting).toBe(first);
  await db.store.pauseProvider({ provider: "inkjet", reason: "Paper.", actor: operator });
  const second = await createPrint(db.store, catalog);
  const paused = wait();
  await waitUntil("it waits", () => desk.waitingCount() === 1);
  await db.store.resumeProvider({ provider: "inkjet", actor: operator });
  expect(await paused).toBe(second);
  await desk.stop();
  await db.close();
});

test("a store with Redis holds no listening session, and its statements notify nobody", async () => {
  const db = await openTestStore({ redisUrl: redis.url });
  const faults: unknown[] = [];
  const listening = await openStore({ url: db.url, poolSize: 1, onError: (error) => faults.push(error) });
  const [names, hints] = [
    () => db.sql`select application_name from pg_stat_activity
    where datname = current_database() and starts_with(application_name, 'onejob listen')`,
    record(listening),
  ];
  expect(await names()).toHaveLength(1);
  await createOne(db.store);
  // Notifications come in the order of their commits.
  await db.sql`select pg_notify('onejob_queued', 'someone:')`;
  await waitUntil("the notification comes", () => hints.length > 0);
  expect(hints).toEqual([{ jobIds: [], queued: true }]);
  // The two do not hear each other, and whoever came later has said so.
  expect(faults.map(String)).toEqual([expect.stringMatching(/DoorbellError: .* by Redis, this one by PostgreSQL/)]);
  await listening.close();
  await db.close();
});

test("a store with Redis says that another one goes by NOTIFY", async () => {
  const db = await openTestStore();
  const faults: unknown[] = [];
  const late = await openStore({ url: db.url, redisUrl: redis.url, onError: (error) => faults.push(error) });
  expect(faults.map(String)).toEqual([expect.stringMatching(/DoorbellError: .* by PostgreSQL, this one by Redis/)]);
  await late.close();
  await db.close();
});

test("two databases on one Redis do not hear each other", async () => {
  const [here, there] = await Promise.all([1, 2].map(() => openTestStore({ redisUrl: redis.url })));
  const [listener, hints] = [await here!.openAnother(), record(here!.store)];
  const strange = await createOne(there!.store);
  await untilHeard(listener, here!.store);
  expect(hints.flatMap((hint) => hint.jobIds)).not.toContain(strange);
  await here!.close();
  await there!.close();
});

test("a role that may do nothing beyond its own tables can name the channel", async () => {
  const db = await openTestStore();
  const role = `plain_${new URL(db.url).pathname.slice(1)}`;
  await db.sql.unsafe(`create role ${role} login password 'plain'; grant all on schema public to ${role};
    grant all on all tables in schema public to ${role}; grant all on database ${new URL(db.url).pathname.slice(1)} to ${role};
    grant all on schema drizzle to ${role}; grant all on all tables in schema drizzle to ${role}`);
  const url = Object.assign(new URL(db.url), { username: role, password: "plain" }).href;
  const faults: unknown[] = [];
  const plain = await openStore({ url, redisUrl: redis.url, poolSize: 1, onError: (error) => faults.push(error) });
  expect(await redis.command("PUBSUB", "CHANNELS", "onejob:*")).toEqual([
    expect.stringMatching(/^onejob:\d{15,20}:\d+$/),
  ]);
  expect(faults.map(String)).toEqual([expect.stringContaining("by PostgreSQL, this one by Redis")]);
  await plain.close();
  await db.sql.unsafe(`drop owned by ${role}; drop role ${role}`);
  await db.close();
});
