/** Keys, names, failures and progress are kept as they were given: nothing is trimmed, folded, normalised or cut. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimOne, createOne, failureOf, reportOf, termsOf } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
beforeAll(async () => {
  db = await openTestStore();
});
afterAll(() => db.close());

const keys: Record<string, string> = {
  "one character": "1",
  "an emoji": "🖨️",
  "255 characters": "k".repeat(255),
  "255 characters beyond the basic plane": "𝒳".repeat(255),
  "spaces at both ends": " key ",
  "spaces alone": "   ",
  "a tab and a line break": "a\tb\nc",
  "64 hexadecimal digits": "0f".repeat(32),
  "an accent in one piece": "\u00e9",
  "an accent in two pieces": "e\u0301",
  "upper case": "KEY",
  "lower case": "key",
  "quotes and a backslash": `'"\\`,
};

describe("keys", () => {
  test.each(Object.entries(keys))("a key of %s holds its job and no other, exactly", async (_, idempotencyKey) => {
    const ownerId = "keys";
    const jobId = await createOne(db.store, { ownerId, idempotencyKey });
    expect(await createOne(db.store, { ownerId, idempotencyKey })).toBe(jobId);
    expect((await db.store.read.jobByKey(ownerId, idempotencyKey))?.idempotencyKey).toBe(idempotencyKey);
    const holders = await db.store.read.keyHolders(ownerId, [idempotencyKey]);
    expect([...holders]).toMatchObject([[idempotencyKey, { jobId }]]);
  });

  test("keys that only look alike are different keys", async () => {
    const all = Object.values(keys);
    const ids = await Promise.all(
      all.map((idempotencyKey) => createOne(db.store, { ownerId: "alike", idempotencyKey })),
    );
    expect(new Set(ids).size).toBe(all.length);
  });

  test("two owners may use one key, and neither sees the other's job behind it", async () => {
    const [ann, bob] = await Promise.all([
      createOne(db.store, { ownerId: "ann", idempotencyKey: "shared" }),
      createOne(db.store, { ownerId: "bob", idempotencyKey: "shared" }),
    ]);
    expect(ann).not.toBe(bob);
    expect((await db.store.read.jobByKey("bob", "shared"))?.id).toBe(bob);
  });
});

const texts = ["10.5", "true", "null", '{"a":1}', "", "🖨️ \u00e9 e\u0301", "line\nline", "x".repeat(20_000)];

describe.each(texts)("text %#", (text) => {
  test("comes back in a failure, on the attempt, on its job and in the log", async () => {
    const jobId = await createOne(db.store, { terms: termsOf("texts") });
    const failure = { code: "JAMMED", message: text, remedy: "NONE" } as const;
    await db.store.failAttempt(failureOf(await claimOne(db.store, ["texts"]), { failure }));
    const [job] = await db.store.read.jobs([jobId], null);
    const [attempt] = await db.store.read.attemptsOfJobs([jobId]);
    const events = await db.store.read.events([{ jobId, number: 0 }], 100);
    expect([job?.failure, attempt?.failure]).toEqual([failure, failure]);
    expect(events.find((event) => event.type === "ATTEMPT_FAILED")?.detail).toEqual(failure);
  });

  test("comes back in progress and as the provider's own id of a request", async () => {
    const jobId = await createOne(db.store, { terms: termsOf("texts") });
    const report = reportOf(await claimOne(db.store, ["texts"]));
    await db.store.markRunning({ ...report, providerRequestId: text });
    await db.store.heartbeat({ ...report, progress: { fraction: 0.1 + 0.2, message: text } });
    const [attempt] = await db.store.read.attemptsOfJobs([jobId]);
    expect(attempt?.progress).toMatchObject({ fraction: 0.1 + 0.2, message: text });
    expect(attempt?.progress?.updatedAt).toBeInstanceOf(Date);
    expect(attempt?.providerRequestId).toBe(text);
    await db.store.heartbeat({ ...report, progress: null });
    expect((await db.store.read.attemptsOfJobs([jobId]))[0]?.progress).toEqual(attempt?.progress);
  });
});

test("progress without a fraction says that the total is not known", async () => {
  const jobId = await createOne(db.store, { terms: termsOf("texts") });
  const report = reportOf(await claimOne(db.store, ["texts"]));
  await db.store.heartbeat({ ...report, progress: { fraction: null, message: null } });
  const [attempt] = await db.store.read.attemptsOfJobs([jobId]);
  expect(attempt?.progress).toMatchObject({ fraction: null, message: null });
});
