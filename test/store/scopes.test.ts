/** What one owner wrote no other owner can read, count or infer; and the log is read from where the reader left off. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimOne, createOne, failureOf, reportOf, retryCommand, termsOf } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
beforeAll(async () => {
  db = await openTestStore();
});
afterAll(() => db.close());

describe("by scope", () => {
  test("jobs and attempts of another owner are left out, as if they were not there", async () => {
    const [mine, theirs] = [await createOne(db.store), await createOne(db.store, { ownerId: "bob" })];
    const attempts = await db.store.read.attemptsOfJobs([mine, theirs]);
    const ids = [mine, theirs, randomUUID()];
    const attemptIds = [...attempts.map((one) => one.id), randomUUID()];
    expect((await db.store.read.jobs(ids, "ann")).map((job) => job.id)).toEqual([mine]);
    expect((await db.store.read.attempts(attemptIds, "ann")).map((one) => one.jobId)).toEqual([mine]);
    expect(await db.store.read.jobs(ids, "nobody")).toEqual([]);
    expect(await db.store.read.jobs(ids, null)).toHaveLength(2);
    expect(await db.store.read.attempts(attemptIds, null)).toHaveLength(2);
  });

  test("an owner's name is taken as it is: no other spelling of it is the same owner", async () => {
    const jobId = await createOne(db.store, { ownerId: "Ann " });
    for (const scope of ["ann", "Ann", "ANN ", "%", ""]) expect(await db.store.read.jobs([jobId], scope)).toEqual([]);
    expect(await db.store.read.jobs([jobId], "Ann ")).toHaveLength(1);
  });

  test("how far a log has come is told of one's own jobs alone, also where many ask at one moment", async () => {
    const [mine, theirs] = [await createOne(db.store), await createOne(db.store, { ownerId: "bob" })];
    const asked = [mine, theirs, randomUUID()].flatMap((jobId) =>
      ["ann", "bob", "nobody", null].map((scope) => db.store.read.newestEventNumber(jobId, scope)),
    );
    expect(await Promise.all(asked)).toEqual([2, null, null, 2, null, 2, null, 2, null, null, null, null]);
  });

  test("a key of another owner is unknown", async () => {
    const idempotencyKey = randomUUID();
    await createOne(db.store, { idempotencyKey });
    expect((await db.store.read.keyHolders("bob", [idempotencyKey])).size).toBe(0);
    expect(await db.store.read.jobByKey("bob", idempotencyKey)).toBeNull();
  });

  test("nothing asked for is nothing read", async () => {
    expect(await db.store.read.jobs([], null)).toEqual([]);
    expect(await db.store.read.attempts([], null)).toEqual([]);
    expect(await db.store.read.attemptsOfJobs([])).toEqual([]);
    expect(await db.store.read.events([], 10)).toEqual([]);
    expect(await db.store.read.gates([])).toEqual([]);
  });
});

describe("the log", () => {
  /** Nine events: two failures, each with a retry by hand. */
  async function withLog(): Promise<string> {
    const provider = randomUUID();
    const jobId = await createOne(db.store, { terms: termsOf(provider) });
    const claim = await claimOne(db.store, [provider]);
    await db.store.failAttempt(failureOf(claim));
    await db.store.retryJob(retryCommand(jobId, claim.attempt.id));
    await db.store.completeAttempt({ ...reportOf(await claimOne(db.store, [provider])), result: 1 });
    await db.store.completeAttempt({ ...reportOf(claim), result: 2 });
    return jobId;
  }

  test("is numbered from 1 without a gap, and says the states after each change", async () => {
    const jobId = await withLog();
    const events = await db.store.read.events([{ jobId, number: 0 }], 100);
    expect(events.map((event) => [event.number, event.type, event.jobState, event.attemptState])).toEqual([
      [1, "JOB_CREATED", "QUEUED", null],
      [2, "ATTEMPT_QUEUED", "QUEUED", "QUEUED"],
      [3, "ATTEMPT_STARTING", "RUNNING", "STARTING"],
      [4, "ATTEMPT_FAILED", "FAILED", "FAILED"],
      [5, "JOB_FAILED", "FAILED", "FAILED"],
      [6, "ATTEMPT_QUEUED", "QUEUED", "QUEUED"],
      [7, "ATTEMPT_STARTING", "RUNNING", "STARTING"],
      [8, "ATTEMPT_SUCCEEDED", "SUCCEEDED", "SUCCEEDED"],
      [9, "JOB_SUCCEEDED", "SUCCEEDED", "SUCCEEDED"],
      [10, "RESULT_DISCARDED", "SUCCEEDED", "FAILED"],
    ]);
    const [job] = await db.store.read.jobs([jobId], null);
    expect(job?.eventCount).toBe(10);
  });

  test("is read after a number, at most so many, the first ones or the newest, always in order", async () => {
    const jobId = await withLog();
    const numbers = async (after: number, limit: number, newest?: boolean) =>
      (await db.store.read.events([{ jobId, number: after }], limit, newest)).map((event) => event.number);
    expect(await numbers(0, 3)).toEqual([1, 2, 3]);
    expect(await numbers(3, 3)).toEqual([4, 5, 6]);
    expect(await numbers(9, 3)).toEqual([10]);
    expect(await numbers(10, 3)).toEqual([]);
    expect(await numbers(99, 3)).toEqual([]);
    expect(await numbers(0, 3, true)).toEqual([8, 9, 10]);
    expect(await numbers(9, 3, true)).toEqual([10]);
  });

  test("of many jobs is read at once, each after its own number and within its own limit, in the order asked", async () => {
    const [one, two] = [await withLog(), await withLog()];
    const asked = [
      { jobId: two, number: 8 },
      { jobId: randomUUID(), number: 0 },
      { jobId: one, number: 0 },
    ];
    const events = await db.store.read.events(asked, 2);
    expect(events.map((event) => [event.jobId, event.number])).toEqual([
      [two, 9],
      [two, 10],
      [one, 1],
      [one, 2],
    ]);
  });

  test("of a discarded result keeps who, digest and size, and never the result", async () => {
    const jobId = await withLog();
    const [event] = await db.store.read.events([{ jobId, number: 9 }], 1);
    expect(event).toMatchObject({
      cause: "WORKER",
      actor: "worker-token",
      detail: { digest: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: 1 },
    });
    expect(Object.keys(event?.detail ?? {}).toSorted()).toEqual(["bytes", "digest"]);
  });
});
