/** The gate is asked anew for every attempt on another provider: what let an earlier one start does not count. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Remedy } from "../../src/domain/outcome.ts";
import type { Claim, FailurePolicy } from "../../src/store/worker-commands.ts";
import { certify, revoke } from "../support/certify.ts";
import { emptyTables } from "../support/empty-tables.ts";
import { claimOne, createOne, failureOf, policy, retryCommand } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
beforeAll(async () => {
  db = await openTestStore();
});
beforeEach(() => emptyTables(db.sql));
afterAll(() => db.close());

async function fail(claim: Claim, remedy: Remedy = "OTHER_PROVIDER", under: FailurePolicy = policy) {
  const failure = { code: "REFUSED", message: "Not here.", remedy };
  return db.store.failAttempt(failureOf(claim, { failure, policy: under }));
}

async function read(jobId: string) {
  const [job] = await db.store.read.jobs([jobId], null);
  const attempts = await db.store.read.attemptsOfJobs([jobId]);
  const events = await db.store.read.events([{ jobId, number: 0 }], 100);
  return { job: job!, attempts, events, types: events.map((event) => event.type) };
}

describe("another try on a fallback", () => {
  test("passes the gate again: once the certification is revoked the failure is recorded, and none follows", async () => {
    const id = await certify(db.sql);
    const jobId = await createOne(db.store);
    await fail(await claimOne(db.store));
    const onFallback = await claimOne(db.store);
    await revoke(db.sql, id);
    expect(await fail(onFallback, "SAME_PROVIDER")).toMatchObject({ kind: "recorded" });
    const { job, attempts, types } = await read(jobId);
    expect(attempts.map((one) => one.state)).toEqual(["FAILED", "FAILED"]);
    expect(job.state).toBe("FAILED");
    expect(types.slice(-3)).toEqual(["ATTEMPT_FAILED", "FAILOVER_REFUSED", "JOB_FAILED"]);
  });

  test("is not covered by the override that let the first one start", async () => {
    const jobId = await createOne(db.store);
    const first = await claimOne(db.store);
    await fail(first, "NONE");
    const override = { by: "olga", reason: "The customer is waiting." };
    await db.store.retryJob(retryCommand(jobId, first.attempt.id, { provider: "laser", override }));
    const onFallback = await claimOne(db.store);
    expect(onFallback.attempt).toMatchObject({ uncertifiedBy: "olga", certificationId: null });
    expect(await fail(onFallback, "SAME_PROVIDER")).toMatchObject({ kind: "recorded" });
    expect((await read(jobId)).types.slice(-3)).toEqual(["ATTEMPT_FAILED", "FAILOVER_REFUSED", "JOB_FAILED"]);
  });
});
