/** The third breaking point, through the API: a timeout is UNKNOWN, and while an attempt is, no way leads to another one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusalOf, typesOf } from "../support/api-client.ts";
import { standing, timedOutJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { timesHanded } from "../support/api-worker.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

describe("a timeout", () => {
  it("makes attempt and job UNKNOWN, never FAILED, and its effect uncertain", async () => {
    const { job } = await timedOutJob(server);
    const now = await server.ann.job(job.id);
    expect(now).toMatchObject({ state: "UNKNOWN", version: 1, failure: null, result: null, viewerCanRetry: false });
    expect(now.latestAttempt).toMatchObject({ state: "UNKNOWN", effectUncertain: true, leaseExpiresAt: null });
    expect(now.latestAttempt.failure?.code).toBe("DEADLINE_EXCEEDED");
    const [last] = now.events.slice(-1);
    expect(last).toMatchObject({ type: "ATTEMPT_UNKNOWN", jobState: "UNKNOWN", cause: "DEADLINE" });
  });

  it("blocks retryJob on the same provider, on another, and with an operator's override", async () => {
    const { job, held } = await timedOutJob(server);
    const before = await server.rowsOf(job.id);
    const override = { overrideGate: true, reason: "it is urgent" };
    const answers = [
      await server.ann.retry(job.id, held.attempt.id),
      await server.ann.retry(job.id, held.attempt.id, { provider: "inkjet" }),
      await server.ann.retry(job.id, held.attempt.id, { provider: "laser" }),
      await server.operator.retry(job.id, held.attempt.id),
      await server.operator.retry(job.id, held.attempt.id, { provider: "inkjet", ...override }),
      await server.operator.retry(job.id, held.attempt.id, { provider: "laser", ...override }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({
        __typename: "AttemptInFlight",
        code: "ATTEMPT_IN_FLIGHT",
        attempt: { id: held.attempt.id, state: "UNKNOWN" },
        job: { id: job.id, state: "UNKNOWN" },
      });
    }
    expect(await server.rowsOf(job.id)).toEqual(before);
  });

  it("leaves nothing to claim, and no retry follows by itself", async () => {
    const { job } = await timedOutJob(server);
    const { worker } = server;
    expect(await worker.finds(job.id)).toBe(false);
    // Another job's deadline passes meanwhile: the sweeper has come round again, and the longest backoff is over.
    await timedOutJob(server);
    expect(await worker.finds(job.id)).toBe(false);
    const now = await server.ann.job(job.id);
    expect(standing(now.attempts.nodes)).toEqual(["1 inkjet UNKNOWN"]);
    expect(timesHanded(worker, job.id)).toBe(1);
  });

  it("blocks a repeated create: it gives the UNKNOWN job", async () => {
    const { job } = await timedOutJob(server);
    const before = await server.rowsOf(job.id);
    const again = await server.ann.create({
      idempotencyKey: job.idempotencyKey,
      operation: "quick",
      input: { text: "Menu" },
    });
    expect(again).toMatchObject({ created: false, job: { id: job.id, state: "UNKNOWN" } });
    expect(await server.rowsOf(job.id)).toEqual(before);
  });
});

describe("an UNKNOWN attempt is settled", () => {
  it("by its late success, which wins (faults 2)", async () => {
    const { job, held } = await timedOutJob(server);
    expect(await held.complete({ pages: 4 })).toMatchObject({
      __typename: "CompleteAttemptSuccess",
      attempt: { state: "SUCCEEDED" },
    });
    const now = await server.ann.job(job.id);
    expect(now).toMatchObject({ state: "SUCCEEDED", result: { pages: 4 }, winner: { number: 1 } });
    expect(now.latestAttempt.effectUncertain).toBe(false);
    const again = await held.complete({ pages: 4 });
    expect(again).toMatchObject({ __typename: "CompleteAttemptSuccess", job: { id: job.id, version: now.version } });
    const { events } = await server.ann.job(job.id);
    expect(typesOf(events).filter((type) => type === "JOB_SUCCEEDED")).toHaveLength(1);
    expect(timesHanded(server.worker, job.id)).toBe(1);
  });

  it("by its late and certain failure, after which the automatic retry follows", async () => {
    const { job, held } = await timedOutJob(server);
    expect(await held.fail("DEFINITE")).toMatchObject({
      __typename: "FailAttemptSuccess",
      attempt: { state: "FAILED" },
    });
    const { attempts } = await server.ann.job(job.id);
    expect(standing(attempts.nodes)).toEqual(["1 inkjet FAILED", "2 inkjet QUEUED"]);
  });

  it("by an operator's cancelAttempt, after which a retry starts and none by itself", async () => {
    const { job, held } = await timedOutJob(server);
    const cancelled = await server.operator.cancelAttempt(held.attempt.id, "seen in the tray: nothing");
    expect(cancelled).toMatchObject({
      __typename: "CancelAttemptSuccess",
      job: { state: "FAILED", version: 2, failure: { code: "ATTEMPT_CANCELLED" } },
      attempt: { state: "CANCELLED", effectUncertain: true },
    });
    expect(await server.worker.finds(job.id)).toBe(false);
    const retried = await server.ann.retry(job.id, held.attempt.id);
    expect(retried).toMatchObject({
      __typename: "RetryJobSuccess",
      job: { state: "QUEUED" },
      attempt: { number: 2, providerName: "inkjet", state: "QUEUED", jobVersion: 2 },
    });
    expect(await server.worker.finds(job.id)).toBe(true);
    const { events } = await server.ann.job(job.id);
    const cancellation = events.find((event) => event.type === "ATTEMPT_CANCELLED");
    expect(cancellation).toMatchObject({
      cause: "OPERATOR",
      actor: "olga",
      detail: { reason: "seen in the tray: nothing" },
    });
  });

  it("by cancelJob of its owner, which starts nothing", async () => {
    const { job } = await timedOutJob(server);
    expect(await server.ann.cancelJob(job.id)).toMatchObject({
      __typename: "CancelJobSuccess",
      job: { state: "CANCELLED" },
    });
    expect(await server.worker.finds(job.id)).toBe(false);
  });
});

describe("cancelAttempt by the owner, once a worker has had it", () => {
  it("is FORBIDDEN, since an impatient owner must not free an attempt that may still act", async () => {
    const { job, held } = await timedOutJob(server);
    const before = await server.rowsOf(job.id);
    expect(await refusalOf(server.ann.cancelAttempt(held.attempt.id))).toMatchObject({
      status: 200,
      code: "FORBIDDEN",
    });
    expect((await server.ann.job(job.id)).latestAttempt.viewerCanCancel).toBe(false);
    expect(await server.rowsOf(job.id)).toEqual(before);
  });

  it("is done where the operation lets its owner", async () => {
    const { job, held } = await timedOutJob(server, "preview");
    expect((await server.ann.job(job.id)).latestAttempt.viewerCanCancel).toBe(true);
    expect(await server.ann.cancelAttempt(held.attempt.id)).toMatchObject({ __typename: "CancelAttemptSuccess" });
    expect(await server.ann.retry(job.id, held.attempt.id)).toMatchObject({ __typename: "RetryJobSuccess" });
  });
});
