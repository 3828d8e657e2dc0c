/** Automatic failover: only onto a provider that is certified at this moment for exactly this contract, else the reason is on record. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { EffectClass } from "../../src/domain/operation.ts";
import type { Remedy } from "../../src/domain/outcome.ts";
import type { Claim, FailurePolicy } from "../../src/store/worker-commands.ts";
import { type CertifyOptions, certify, revoke } from "../support/certify.ts";
import { emptyTables } from "../support/empty-tables.ts";
import { claimOne, createOne, failureOf, policy, retryCommand, termsOf } from "../support/store-kit.ts";
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

async function expectRefused(jobId: string, reason: string, provider = "laser"): Promise<void> {
  const { job, attempts, events } = await read(jobId);
  expect(attempts).toHaveLength(1);
  expect(job).toMatchObject({ state: "FAILED", version: 2, failure: { code: "REFUSED" } });
  expect(events.slice(-3)).toMatchObject([
    { type: "ATTEMPT_FAILED" },
    { type: "FAILOVER_REFUSED", cause: "POLICY", detail: { provider, reason } },
    { type: "JOB_FAILED" },
  ]);
}

async function expectTakenOver(jobId: string, provider: string, certificationId: string): Promise<void> {
  const { job, attempts, types } = await read(jobId);
  expect(attempts.at(-1)).toMatchObject({ state: "QUEUED", provider, certificationId, uncertifiedBy: null });
  expect(job).toMatchObject({ state: "QUEUED", provider: "inkjet", latestAttempt: attempts.at(-1)!.id });
  expect(types.slice(-2)).toEqual(["ATTEMPT_FAILED", "ATTEMPT_QUEUED"]);
}

describe("certified", () => {
  test("OTHER_PROVIDER goes on at the fallback at once, with the certification kept on the attempt", async () => {
    const id = await certify(db.sql);
    const jobId = await createOne(db.store);
    await fail(await claimOne(db.store));
    await expectTakenOver(jobId, "laser", id);
    expect((await claimOne(db.store, ["laser"])).attempt.jobId).toBe(jobId);
  });

  test("SAME_PROVIDER goes on at the fallback when the tries are used up, and has tries of its own there", async () => {
    const id = await certify(db.sql, { expiresIn: "1 hour" });
    const jobId = await createOne(db.store);
    for (let tries = 0; tries < 3; tries += 1) await fail(await claimOne(db.store), "SAME_PROVIDER");
    await expectTakenOver(jobId, "laser", id);
    await fail(await claimOne(db.store), "SAME_PROVIDER");
    const { attempts } = await read(jobId);
    expect(attempts.map((one) => one.provider)).toEqual(["inkjet", "inkjet", "inkjet", "laser", "laser"]);
    expect(attempts.slice(3).map((one) => one.certificationId)).toEqual([id, id]);
  });

  test("the first fallback whose gate is open takes over, past one whose gate is shut", async () => {
    const id = await certify(db.sql, { provider: "plotter" });
    const jobId = await createOne(db.store, { fallbackProviders: ["laser", "plotter"] });
    await fail(await claimOne(db.store));
    await expectTakenOver(jobId, "plotter", id);
  });

  test("a newer run that is under way leaves the pass in force", async () => {
    const id = await certify(db.sql);
    await certify(db.sql, { status: "RUNNING" });
    const jobId = await createOne(db.store);
    await fail(await claimOne(db.store));
    await expectTakenOver(jobId, "laser", id);
  });
});

const shutGates: [string, CertifyOptions | null, string][] = [
  ["never certified", null, "NEVER_RUN"],
  ["still running", { status: "RUNNING" }, "STILL_RUNNING"],
  ["failed", { status: "FAILED" }, "FAILED"],
  ["inconclusive", { status: "INCONCLUSIVE" }, "INCONCLUSIVE"],
  ["revoked", { status: "REVOKED" }, "REVOKED"],
  ["expired", { expiresIn: "-1 second" }, "EXPIRED"],
  ["certified for another contract", { contractDigest: "older" }, "CONTRACT_CHANGED"],
  ["certified for another version of the operation", { operationVersion: 7 }, "CONTRACT_CHANGED"],
  ["certified at another revision", { providerRevision: "0" }, "PROVIDER_CHANGED"],
  ["certified for another operation", { operation: "scan" }, "NEVER_RUN"],
];

describe("not certified", () => {
  test.each(shutGates)(
    "a fallback that is %s does not take over, and the job says why",
    async (_, certification, reason) => {
      if (certification !== null) await certify(db.sql, certification);
      const jobId = await createOne(db.store);
      await fail(await claimOne(db.store));
      await expectRefused(jobId, reason);
    },
  );

  test.each(shutGates)(
    "a retry by hand onto a fallback that is %s is refused with the reason, and writes nothing",
    async (_, certification, reason) => {
      const id = certification === null ? null : await certify(db.sql, certification);
      const jobId = await createOne(db.store);
      const claim = await claimOne(db.store);
      await fail(claim, "NONE");
      const before = await read(jobId);
      const named = certification?.operation === "scan" ? null : id;
      const answer = await db.store.retryJob(retryCommand(jobId, claim.attempt.id, { provider: "laser" }));
      expect(answer).toEqual({ kind: "not-certified", provider: "laser", reason, certificationId: named });
      expect(await read(jobId)).toEqual(before);
    },
  );

  test("exhausted tries are refused the fallback as well", async () => {
    const jobId = await createOne(db.store);
    for (let tries = 0; tries < 3; tries += 1) await fail(await claimOne(db.store), "SAME_PROVIDER");
    const { attempts, types } = await read(jobId);
    expect(attempts).toHaveLength(3);
    expect(types.slice(-3)).toEqual(["ATTEMPT_FAILED", "FAILOVER_REFUSED", "JOB_FAILED"]);
  });

  test("a fallback that the configuration has dropped is refused as not configured", async () => {
    const jobId = await createOne(db.store);
    const without: FailurePolicy = {
      ...policy,
      termsFor: (_, provider) => (provider === "inkjet" ? termsOf(provider) : null),
    };
    await fail(await claimOne(db.store), "OTHER_PROVIDER", without);
    await expectRefused(jobId, "NOT_CONFIGURED");
  });
});

test("a revocation after the attempt was queued does not take it back", async () => {
  const id = await certify(db.sql);
  const jobId = await createOne(db.store);
  await fail(await claimOne(db.store));
  await revoke(db.sql, id);
  await expectTakenOver(jobId, "laser", id);
});

test.each(["PURE", "KEYED", "QUERYABLE", "BLIND"] as const satisfies EffectClass[])(
  "%s fails over by itself unless it is BLIND",
  async (effectClass) => {
    await certify(db.sql);
    const jobId = await createOne(db.store);
    await fail(await claimOne(db.store), "OTHER_PROVIDER", {
      ...policy,
      retryOf: () => ({ effectClass, maxAttempts: 1, initialDelayMs: 0, maxDelayMs: 0 }),
    });
    const { job, attempts } = await read(jobId);
    expect([job.state, attempts.length]).toEqual(effectClass === "BLIND" ? ["FAILED", 1] : ["QUEUED", 2]);
  },
);
