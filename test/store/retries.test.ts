/** What follows a certain failure by itself: another try after its wait, up to the limit, and nothing else beside it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RetryPolicy } from "../../src/domain/operation.ts";
import type { Remedy } from "../../src/domain/outcome.ts";
import type { Claim, FailurePolicy } from "../../src/store/worker-commands.ts";
import { emptyTables } from "../support/empty-tables.ts";
import { shiftClock } from "../support/shift-clock.ts";
import {
  cancelAttemptCommand,
  cancelJobCommand,
  claimOne,
  createOne,
  failureOf,
  loseOne,
  policy,
  retryCommand,
} from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
beforeAll(async () => {
  db = await openTestStore();
});
beforeEach(() => emptyTables(db.sql));
afterAll(() => db.close());

const retry: RetryPolicy = { maxAttempts: 3, initialDelayMs: 60_000, maxDelayMs: 90_000 };
const patient: FailurePolicy = { ...policy, retryOf: () => ({ effectClass: "PURE", ...retry }) };

const withRemedy = (remedy: Remedy) => ({ code: "BUSY", message: "Busy.", remedy });

async function fail(claim: Claim, remedy: Remedy = "SAME_PROVIDER", under: FailurePolicy = patient) {
  return db.store.failAttempt(failureOf(claim, { failure: withRemedy(remedy), policy: under }));
}

async function read(jobId: string) {
  const [job] = await db.store.read.jobs([jobId], null);
  const attempts = await db.store.read.attemptsOfJobs([jobId]);
  const events = await db.store.read.events([{ jobId, number: 0 }], 100);
  return { job: job!, attempts, last: attempts.at(-1)!, types: events.map((event) => event.type), events };
}

describe("SAME_PROVIDER", () => {
  test("the next try is queued with the failure, due after the wait, and not claimed before", async () => {
    const jobId = await createOne(db.store);
    const claim = await claimOne(db.store);
    expect(await fail(claim)).toMatchObject({ kind: "recorded", repeated: false });
    const { job, attempts, last, types } = await read(jobId);
    expect(attempts.map((one) => [one.number, one.state, one.jobVersion])).toEqual([
      [1, "FAILED", 1],
      [2, "QUEUED", 2],
    ]);
    expect(job).toMatchObject({ state: "QUEUED", version: 2, latestAttempt: last.id, attemptCount: 2, failure: null });
    expect(last.runAt.getTime() - attempts[0]!.finishedAt!.getTime()).toBe(60_000);
    expect(types.slice(-2)).toEqual(["ATTEMPT_FAILED", "ATTEMPT_QUEUED"]);
    await expect(claimOne(db.store)).rejects.toThrow(/Nothing/);
    await shiftClock(db.sql, "61 seconds");
    expect((await claimOne(db.store)).attempt.id).toBe(last.id);
  });

  test("the wait doubles up to its greatest, and after maxAttempts tries the job fails", async () => {
    const jobId = await createOne(db.store, { fallbackProviders: [] });
    await fail(await claimOne(db.store));
    await shiftClock(db.sql, "1 hour");
    await fail(await claimOne(db.store));
    const second = await read(jobId);
    expect(second.last.runAt.getTime() - second.attempts[1]!.finishedAt!.getTime()).toBe(90_000);
    await shiftClock(db.sql, "2 hours");
    await fail(await claimOne(db.store));
    const { job, attempts, types } = await read(jobId);
    expect(attempts.map((one) => one.state)).toEqual(["FAILED", "FAILED", "FAILED"]);
    expect(job).toMatchObject({ state: "FAILED", version: 4, failure: withRemedy("SAME_PROVIDER") });
    expect(types.slice(-2)).toEqual(["ATTEMPT_FAILED", "JOB_FAILED"]);
  });

  test("the next try is caused by policy, and says where it goes and how long it waits", async () => {
    const jobId = await createOne(db.store);
    await fail(await claimOne(db.store));
    const { events, last } = await read(jobId);
    expect(events.at(-2)).toMatchObject({
      type: "ATTEMPT_FAILED",
      cause: "WORKER",
      actor: "worker-token",
      jobState: "QUEUED",
    });
    expect(events.at(-1)).toMatchObject({
      type: "ATTEMPT_QUEUED",
      attemptId: last.id,
      cause: "POLICY",
      actor: null,
      detail: { provider: "inkjet", delayMs: 60_000, certified: false },
    });
  });
});

describe("during the wait", () => {
  test("a retry by hand is answered with the attempt that is waiting, and starts none", async () => {
    const jobId = await createOne(db.store);
    const claim = await claimOne(db.store);
    await fail(claim);
    const { last } = await read(jobId);
    expect(await db.store.retryJob(retryCommand(jobId, claim.attempt.id))).toEqual({
      kind: "in-flight",
      jobId,
      attemptId: last.id,
    });
    expect((await read(jobId)).attempts).toHaveLength(2);
  });

  test("cancelAttempt by the owner ends it, the job fails, and nothing follows", async () => {
    const jobId = await createOne(db.store);
    await fail(await claimOne(db.store));
    const { last } = await read(jobId);
    const byOwner = { scope: "ann", isOperator: false };
    expect(await db.store.cancelAttempt(cancelAttemptCommand(last.id, byOwner))).toMatchObject({ kind: "cancelled" });
    const { job, attempts } = await read(jobId);
    expect(job).toMatchObject({ state: "FAILED", version: 3, failure: { code: "ATTEMPT_CANCELLED" } });
    expect(attempts.at(-1)).toMatchObject({
      state: "CANCELLED",
      effectUncertain: false,
      failure: { code: "ATTEMPT_CANCELLED" },
    });
    await shiftClock(db.sql, "1 hour");
    await expect(claimOne(db.store)).rejects.toThrow(/Nothing/);
    expect(attempts).toHaveLength(2);
  });

  test("cancelJob ends it with the job, and nothing is claimed when the wait is over", async () => {
    const jobId = await createOne(db.store);
    await fail(await claimOne(db.store));
    await db.store.cancelJob(cancelJobCommand(jobId));
    await shiftClock(db.sql, "1 hour");
    await expect(claimOne(db.store)).rejects.toThrow(/Nothing/);
    expect((await read(jobId)).last.state).toBe("CANCELLED");
  });

  test("the failure reported again is a repeat, and queues no second try", async () => {
    const jobId = await createOne(db.store);
    const claim = await claimOne(db.store);
    await fail(claim);
    expect(await fail(claim)).toMatchObject({ kind: "recorded", repeated: true });
    expect((await read(jobId)).attempts).toHaveLength(2);
  });
});

test.each(["PURE", "KEYED", "QUERYABLE", "BLIND"] as const)(
  "NONE ends the job at once, for %s too",
  async (effectClass) => {
    const jobId = await createOne(db.store);
    await fail(await claimOne(db.store), "NONE", { ...policy, retryOf: () => ({ effectClass, ...retry }) });
    const { job, attempts, types } = await read(jobId);
    expect(attempts).toHaveLength(1);
    expect(job).toMatchObject({ state: "FAILED", failure: withRemedy("NONE") });
    expect(types.slice(-2)).toEqual(["ATTEMPT_FAILED", "JOB_FAILED"]);
  },
);

test("an unclear failure queues nothing, whatever its remedy: the attempt is UNKNOWN, and stays the only one", async () => {
  const jobId = await createOne(db.store);
  const claim = await claimOne(db.store);
  await db.store.failAttempt(
    failureOf(claim, { certain: false, failure: withRemedy("SAME_PROVIDER"), policy: patient }),
  );
  expect((await read(jobId)).attempts).toMatchObject([{ state: "UNKNOWN", effectUncertain: true }]);
  await shiftClock(db.sql, "1 day");
  await expect(claimOne(db.store)).rejects.toThrow(/Nothing/);
});

test("a certain failure that comes late, after UNKNOWN, may be tried again by itself", async () => {
  const jobId = await createOne(db.store);
  const claim = await claimOne(db.store);
  await loseOne(db.store, claim);
  await fail(claim);
  expect((await read(jobId)).attempts.map((one) => one.state)).toEqual(["FAILED", "QUEUED"]);
});

test("an operation or provider that the configuration has dropped is not tried again by itself", async () => {
  for (const dropped of [
    { ...patient, retryOf: () => null },
    { ...patient, termsFor: () => null },
  ]) {
    const jobId = await createOne(db.store);
    await fail(await claimOne(db.store), "SAME_PROVIDER", dropped);
    expect((await read(jobId)).job.state).toBe("FAILED");
  }
});
