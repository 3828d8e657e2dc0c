/** What happens to Redis, to the way to it and to the servers at its ends: whoever follows jobs ends with the truth, by the doorbell alone. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { next, numbersOf, take, upTo, withFeed } from "../runtime/follow-kit.ts";
import { untilHeard } from "../support/doorbell-rules.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { openSilentWire, silent } from "../support/silent-wire.ts";
import { cancelJobCommand, claimOne, createOne, reportOf, termsOf } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";
import { forkStore } from "./fork-store.ts";
import { keepPicture, type Picture } from "./keep-picture.ts";

const heartbeatMs = 500;
/** A killed Redis comes back, or a silent sender is noticed, within several heartbeats; a busy machine stretches them. */
const patientMs = 60_000;
vi.setConfig({ testTimeout: patientMs });

let redis: RedisServer;
let db: TestStore;
const opened: Store[] = [];
beforeAll(async () => {
  redis = await startRedis();
  db = await openTestStore({ redisUrl: redis.url, heartbeatMs });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});
afterAll(async () => {
  await db.close();
  await redis.stop();
});

async function open(redisUrl: string, onError: (error: unknown) => void = () => {}): Promise<Store> {
  const store = await openStore({ url: db.url, poolSize: 2, redisUrl, heartbeatMs, onError });
  opened.push(store);
  return store;
}

let owners = 0;
function freshOwner(): string {
  owners += 1;
  return `owner-${owners}`;
}

/** A client on `follower` follows one job and all jobs of its owner, while `during` runs; it ends with the truth. */
async function expectTruthThrough(
  follower: Store,
  during: (picture: Picture, ownerId: string) => Promise<void>,
): Promise<void> {
  const ownerId = freshOwner();
  await untilHeard(db.store, follower);
  await withFeed(follower, async (feed) => {
    const picture = keepPicture(feed, follower, ownerId);
    const jobId = await createOne(db.store, { ownerId, terms: termsOf(ownerId) });
    await picture.isTrue();
    const events = feed.followEvents(jobId, 0);
    const job = feed.followJob(jobId);
    await during(picture, ownerId);
    const claim = await claimOne(db.store, [ownerId]);
    await db.store.completeAttempt({ ...reportOf(claim), result: { pages: 1 } });
    let state = "";
    while (state !== "SUCCEEDED") ({ state } = (await next(job)).job);
    const count = (await follower.read.standings([jobId])).get(jobId)?.eventCount ?? 0;
    expect(numbersOf(await take(events, count))).toEqual(upTo(count));
    await picture.isTrue();
    await events.return?.();
    await job.return?.();
    await picture.stop();
  });
}

test("Redis is killed and comes back: nothing waits for it, and watchers are told that they may have missed something", async () => {
  const other = await open(redis.url);
  await expectTruthThrough(other, async (picture, ownerId) => {
    await redis.kill();
    const made = await Promise.all([1, 2, 3].map(() => createOne(db.store, { ownerId })));
    await db.store.cancelJob(cancelJobCommand(made[0] ?? ""));
    const before = picture.resyncs();
    await redis.start();
    await waitUntil("the watcher is told", () => picture.resyncs() > before, patientMs);
    await picture.isTrue();
    await untilHeard(db.store, other);
  });
});

test("while Redis is away watchers are told again and again, and learn by that what has changed", async () => {
  const other = await open(redis.url);
  await expectTruthThrough(other, async (picture, ownerId) => {
    await redis.kill();
    await createOne(db.store, { ownerId });
    await waitUntil("the watcher is told", () => picture.resyncs() > 0, patientMs);
    await createOne(db.store, { ownerId });
    await picture.isTrue();
    await redis.start();
    await untilHeard(db.store, other);
  });
});

test("every connection to Redis is cut: watchers are told, and hear again", async () => {
  const other = await open(redis.url);
  await expectTruthThrough(other, async (picture, ownerId) => {
    expect(await redis.command("CLIENT", "KILL", "TYPE", "pubsub")).toBe(2);
    await createOne(db.store, { ownerId });
    await waitUntil("the watcher is told", () => picture.resyncs() > 0, patientMs);
    await picture.isTrue();
    await untilHeard(db.store, other);
  });
});

test("the way from Redis falls silent without an end: it is noticed, and another one taken", async () => {
  const wire = await openSilentWire(redis.url);
  const other = await open(wire.url);
  await expectTruthThrough(other, async (picture, ownerId) => {
    wire.silence(silent, false);
    await createOne(db.store, { ownerId });
    await waitUntil("another way is taken", () => wire.made > 1, patientMs);
    await waitUntil("the watcher is told", () => picture.resyncs() > 0, patientMs);
    await picture.isTrue();
    await untilHeard(db.store, other);
  });
  await other.close();
  opened.pop();
  await wire.close();
});

test("a server alone loses its way to Redis: watchers elsewhere are told, and hear it again", async () => {
  const wire = await openSilentWire(redis.url);
  const [other, sender] = [await open(redis.url), await open(wire.url)];
  await expectTruthThrough(other, async (picture, ownerId) => {
    await createOne(sender, { ownerId });
    await picture.isTrue();
    const before = picture.resyncs();
    wire.silence(silent, false);
    await createOne(sender, { ownerId });
    await waitUntil("the watcher is told", () => picture.resyncs() > before, patientMs);
    await picture.isTrue();
    await untilHeard(sender, other);
  });
  await Promise.all(opened.splice(0).map((store) => store.close()));
  await wire.close();
});

test("a server dies between its commit and its word of it: watchers elsewhere are told once it is missed", async () => {
  const wire = await openSilentWire(redis.url);
  const other = await open(redis.url);
  await expectTruthThrough(other, async (picture, ownerId) => {
    const sender = await forkStore({ url: db.url, poolSize: 1, redisUrl: wire.url, heartbeatMs });
    await sender.create(ownerId);
    await picture.isTrue();
    const before = picture.resyncs();
    wire.silence(silent, false);
    const unheard = await sender.create(ownerId);
    await sender.kill();
    expect(await other.read.jobs([unheard], null)).toHaveLength(1);
    await waitUntil("the watcher is told", () => picture.resyncs() > before, patientMs);
    await picture.isTrue();
  });
  await wire.close();
});

test("Redis is away when a server starts: it serves, says so once, and takes Redis up when it comes", async () => {
  const later = await startRedis({}, true);
  const faults: unknown[] = [];
  const [first, second] = [await open(later.url, (error) => faults.push(error)), await open(later.url)];
  let gaps = 0;
  first.onGap(() => (gaps += 1));
  const jobId = await createOne(second);
  expect(await first.read.jobs([jobId], null)).toHaveLength(1);
  await waitUntil("it has been deaf for several heartbeats", () => gaps >= 3, patientMs);
  expect(faults.map(String)).toEqual([
    `DoorbellError: Servers do not hear of each other's commits by Redis at ${new URL(later.url).host}, and poll: ECONNREFUSED`,
  ]);
  await later.start();
  await untilHeard(second, first);
  await untilHeard(first, second);
  await Promise.all(opened.splice(0).map((store) => store.close()));
  await later.stop();
});
