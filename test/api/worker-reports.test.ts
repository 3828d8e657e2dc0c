/** Workers over the API: every report about an attempt, what follows it, its repeats and its refusals. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maxResultBytes } from "../../src/domain/outcome.ts";
import { typesOf } from "../support/api-client.ts";
import { claimedJob, standing } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { holding } from "../support/api-worker.ts";
import { waitUntil } from "../support/wait-until.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

describe("reports about an attempt", () => {
  it("running, heartbeats with progress, and the result, each repeated with success", async () => {
    const { job, held } = await claimedJob(server);
    for (const _time of [1, 2]) {
      expect(await held.running("request-7")).toMatchObject({
        attempt: { state: "RUNNING", providerRequestId: "request-7" },
      });
    }
    const beat = await held.beat({ fraction: 0.5, message: "page 1 of 2" });
    expect(beat).toMatchObject({ __typename: "HeartbeatAttemptSuccess", leaseMs: 15_000 });
    expect(beat.leaseExpiresAt).toEqual(expect.any(String));
    expect(await server.ann.job(job.id)).toMatchObject({
      state: "RUNNING",
      progress: { fraction: 0.5, message: "page 1 of 2" },
    });
    for (const _time of [1, 2]) {
      expect(await held.complete({ pages: 2 })).toMatchObject({
        __typename: "CompleteAttemptSuccess",
        attempt: { state: "SUCCEEDED" },
      });
    }
    const now = await server.ann.job(job.id);
    expect(now).toMatchObject({ state: "SUCCEEDED", version: 2, result: { pages: 2 }, progress: null });
    const types = [
      "JOB_CREATED",
      "ATTEMPT_QUEUED",
      "ATTEMPT_STARTING",
      "ATTEMPT_RUNNING",
      "ATTEMPT_SUCCEEDED",
      "JOB_SUCCEEDED",
    ];
    expect(typesOf(now.events)).toEqual(types);
  });

  it("another result after the first is ResultDiscarded, and the first stays", async () => {
    const { job, held } = await claimedJob(server);
    await held.complete({ pages: 1 });
    expect(await held.complete({ pages: 2 })).toMatchObject({ __typename: "ResultDiscarded", winner: { number: 1 } });
    expect(await server.ann.job(job.id)).toMatchObject({ state: "SUCCEEDED", result: { pages: 1 } });
  });

  it("a result of exactly the size that is taken wins; one byte more is InvalidInput, and the attempt goes on", async () => {
    const { job, held } = await claimedJob(server, "any");
    const sized = (bytes: number) => "x".repeat(bytes - 2);
    expect(await held.complete(sized(maxResultBytes + 1))).toMatchObject({
      __typename: "InvalidInput",
      issues: [{ path: "/result", message: expect.stringContaining(String(maxResultBytes)) }],
    });
    expect(await server.ann.job(job.id)).toMatchObject({ state: "RUNNING", version: 1 });
    expect(await held.complete(sized(maxResultBytes))).toMatchObject({ __typename: "CompleteAttemptSuccess" });
    expect((await server.ann.job(job.id)).result).toBe(sized(maxResultBytes));
  });

  it("a definite failure is followed by the automatic retry, up to maxAttempts, and a repeat changes nothing", async () => {
    const { job, held } = await claimedJob(server);
    expect(await held.fail("DEFINITE")).toMatchObject({
      __typename: "FailAttemptSuccess",
      attempt: { state: "FAILED" },
    });
    expect(await held.fail("DEFINITE")).toMatchObject({ __typename: "FailAttemptSuccess" });
    expect(await server.ann.retry(job.id, held.attempt.id)).toMatchObject({
      __typename: "AttemptInFlight",
      attempt: { number: 2 },
    });
    for (const number of [2, 3]) {
      const next = await waitUntil(`attempt ${number} is due`, () => server.worker.take(job.id).catch(() => null));
      expect(next.attempt.number).toBe(number);
      await next.fail("DEFINITE");
    }
    const now = await server.ann.job(job.id);
    expect(now).toMatchObject({ state: "FAILED", version: 4, failure: { code: "JAMMED", remedy: "SAME_PROVIDER" } });
    expect(standing(now.attempts.nodes)).toEqual(["1 inkjet FAILED", "2 inkjet FAILED", "3 inkjet FAILED"]);
    expect(typesOf(now.events)).toContain("FAILOVER_REFUSED");
  });

  it("a definite failure with the remedy NONE ends the job FAILED at once, and retryJob reopens it", async () => {
    const { job, held } = await claimedJob(server);
    await held.fail("DEFINITE", { remedy: "NONE", code: "REFUSED", message: "No such paper." });
    expect(await server.ann.job(job.id)).toMatchObject({
      state: "FAILED",
      failure: { code: "REFUSED" },
      viewerCanRetry: true,
    });
    expect(await server.ann.retry(job.id, held.attempt.id)).toMatchObject({
      __typename: "RetryJobSuccess",
      attempt: { number: 2 },
    });
    expect(await server.ann.retry(job.id, held.attempt.id)).toMatchObject({
      __typename: "AttemptInFlight",
      attempt: { number: 2 },
    });
  });

  it("an uncertain failure makes the attempt UNKNOWN, with its reason, and a repeat changes nothing", async () => {
    const { job, held } = await claimedJob(server);
    expect(await held.fail("UNCERTAIN", { code: "RESET" })).toMatchObject({
      attempt: { state: "UNKNOWN", effectUncertain: true },
    });
    const before = await server.rowsOf(job.id);
    expect(await held.fail("UNCERTAIN", { code: "RESET" })).toMatchObject({ __typename: "FailAttemptSuccess" });
    expect(await server.rowsOf(job.id)).toEqual(before);
    expect(await held.beat()).toMatchObject({ __typename: "HeartbeatAttemptSuccess", leaseExpiresAt: null });
  });

  it("a result that breaks the schema is ResultRejected with its places, the attempt FAILED, and a repeat the same", async () => {
    const { job, held } = await claimedJob(server);
    for (const _time of [1, 2]) {
      const answer = await held.complete({ pages: 0, colour: "blue" });
      expect(answer).toMatchObject({
        __typename: "ResultRejected",
        attempt: { state: "FAILED", effectUncertain: true },
      });
      expect(new Set(answer.issues?.map((issue) => issue.path))).toEqual(new Set(["/result/pages", "/result/colour"]));
    }
    const now = await server.ann.job(job.id);
    expect(now).toMatchObject({
      state: "FAILED",
      result: null,
      failure: { code: "NONCONFORMING_RESULT", remedy: "NONE" },
    });
    expect(now.attempts.nodes).toHaveLength(1);
  });

  it("a wrong lease token is LeaseLost to every report, and nothing changes", async () => {
    const { job, held } = await claimedJob(server);
    const thief = holding(server.worker.api, { ...held.claim, leaseToken: randomUUID() });
    const before = await server.rowsOf(job.id);
    const reports = [
      thief.running(),
      thief.beat({ fraction: 1 }),
      thief.complete({ pages: 1 }),
      thief.complete({ pages: 0 }),
      thief.fail("DEFINITE"),
      thief.fail("UNCERTAIN"),
    ];
    for (const answer of await Promise.all(reports))
      expect(answer).toMatchObject({ __typename: "LeaseLost", code: "LEASE_LOST" });
    expect(await server.rowsOf(job.id)).toEqual(before);
  });
});
