/** What others may say on the channel and what a server says of itself: junk does no harm, no secret leaves, and nothing stays behind. */
import { createClient } from "@redis/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { withFeed } from "../runtime/follow-kit.ts";
import { record, untilHeard } from "../support/doorbell-rules.ts";
import { openLossyWire } from "../support/lossy-wire.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { openSilentWire, silent } from "../support/silent-wire.ts";
import { createOne } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";
import { forkStore } from "./fork-store.ts";
import { keepPicture } from "./keep-picture.ts";

let redis: RedisServer;
let db: TestStore;
let other: Store;
const faults: unknown[] = [];
beforeAll(async () => {
  redis = await startRedis();
  db = await openTestStore({ redisUrl: redis.url, onError: (error) => faults.push(error) });
  other = await db.openAnother();
});
afterAll(async () => {
  await db.close();
  await redis.stop();
});

async function channel(): Promise<string> {
  const [name = ""] = (await redis.command("PUBSUB", "CHANNELS", "onejob:*")) as string[];
  return name;
}

test("a flood of junk on the channel is nobody's word: no gap, no hint, no fault, and what is true still comes", async () => {
  await untilHeard(db.store, other);
  const [hints, name] = [record(other), await channel()];
  let gaps = 0;
  other.onGap(() => (gaps += 1));
  await withFeed(other, async (feed) => {
    const picture = keepPicture(feed, other, "flooded");
    const junk = ["", "x".repeat(1_000_000), "changed aaaaaaaaaaaa 1 not-an-id", "gap someone 1 ", "\u0000\uFFFD"];
    const flood = `for round = 1, 2000 do for _, junk in ipairs(ARGV) do redis.call('PUBLISH', KEYS[1], junk) end end`;
    await redis.command("EVAL", flood, "1", name, ...junk.filter((text) => text.length < 1_000));
    await redis.command("PUBLISH", name, junk[1] ?? "");
    await createOne(db.store, { ownerId: "flooded" });
    await picture.isTrue();
    await picture.stop();
  });
  expect([gaps, hints.length, faults]).toEqual([0, 1, []]);
});

/** Everything that is said on the channel from now on. */
async function spyOn(name: string) {
  const said: string[] = [];
  const spy = createClient({ url: redis.url });
  await spy.connect();
  await spy.subscribe(name, (text) => said.push(text));
  return { said, publish: (text: string) => spy.publish(name, text), stop: () => spy.destroy() };
}

test("what is said on the channel is ids alone: no owner, no key, no input", async () => {
  const spy = await spyOn(await channel());
  const secret = { ownerId: "secret-owner", idempotencyKey: "secret-key", input: { text: "secret-input" } };
  const jobId = await createOne(db.store, secret);
  const hint = await waitUntil("the hint comes", () => spy.said.find((text) => text.includes(jobId)));
  expect(spy.said.filter((text) => text.includes("secret"))).toEqual([]);
  expect(hint).toMatch(new RegExp(`^queued [0-9a-f]{12} \\d+ ${jobId}$`));
  spy.stop();
});

test("a server says that it has come, answers whoever asks who is there, and says goodbye with its last number", async () => {
  const spy = await spyOn(await channel());
  // It has nothing to say by itself within the test.
  const quiet = await openStore({ url: db.url, poolSize: 1, redisUrl: redis.url, heartbeatMs: 600_000 });
  const call = await waitUntil("it has come", () => spy.said.find((text) => text.startsWith("call ")));
  const name = call.split(" ")[1] ?? "";
  await createOne(quiet);
  await spy.publish(`call ${"0".repeat(12)} 0 `);
  await waitUntil("it answers", () => spy.said.includes(`beat ${name} 1 `));
  await quiet.close();
  const goodbye = await waitUntil("it says goodbye", () => spy.said.find((text) => text.startsWith("bye ")));
  expect(goodbye).toBe(`bye ${name} 1 `);
  await spy.publish(`bye ${"0".repeat(12)} 0 `);
  spy.stop();
});

test("a password that Redis refuses is in no fault that is told", async () => {
  const guarded = await startRedis({ requirepass: "right-password" });
  const told: unknown[] = [];
  const redisUrl = guarded.url.replace("right", "wrong");
  const store = await openStore({ url: db.url, poolSize: 1, redisUrl, onError: (error) => told.push(error) });
  const text = told
    .map((error) => `${String(error)} ${JSON.stringify(error)} ${String((error as Error).cause)}`)
    .join();
  expect(text).toMatch(/WRONGPASS/);
  expect(text).not.toMatch(/wrong-password/);
  await store.close();
  const welcome = await openStore({ url: db.url, poolSize: 1, redisUrl: guarded.url });
  expect(await guarded.command("PUBSUB", "CHANNELS")).toHaveLength(1);
  await welcome.close();
  await guarded.stop();
});

test("a commit whose answer was lost is a gap for the others too, since nobody knows what to tell them", async () => {
  const wire = await openLossyWire(db.url);
  const cut = await openStore({ url: wire.url, poolSize: 1, redisUrl: redis.url, heartbeatMs: 500 });
  await untilHeard(cut, other);
  let gaps = 0;
  other.onGap(() => (gaps += 1));
  wire.lose(true);
  await expect(createOne(cut)).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  wire.lose(false);
  await waitUntil("the gap is told", () => gaps > 0);
  await cut.close();
  await wire.close();
});

test("a closed store leaves nothing that keeps its process, whatever has become of Redis", async () => {
  const wire = await openSilentWire(redis.url);
  const away = await startRedis({}, true);
  const start = (redisUrl: string) => forkStore({ url: db.url, poolSize: 1, redisUrl, heartbeatMs: 600_000 });
  const stores = await Promise.all([start(redis.url), start(away.url), start(wire.url)]);
  wire.silence(silent, false);
  expect(await Promise.all(stores.map((store) => store.close()))).toEqual([0, 0, 0]);
  await wire.close();
  await away.stop();
}, 90_000);
