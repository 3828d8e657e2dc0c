/** What users of other systems met when they cancelled, through the API: cases/faults.md, 13 and 14. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { typesOf } from "../support/api-client.ts";
import { claimedJob, jobStates, newJob, reach } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { timesHanded } from "../support/api-worker.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

/** Nothing of the job may reach a provider any more, whoever asks for it. */
async function expectDead(jobId: string, attemptId: string): Promise<void> {
  const handed = timesHanded(server.worker, jobId);
  expect(await server.worker.finds(jobId)).toBe(false);
  const override = { provider: "laser", overrideGate: true, reason: "bring it back" };
  expect(await server.ann.retry(jobId, attemptId)).toMatchObject({ __typename: "JobClosed" });
  expect(await server.operator.retry(jobId, attemptId, override)).toMatchObject({ __typename: "JobClosed" });
  expect(await server.worker.finds(jobId)).toBe(false);
  expect(timesHanded(server.worker, jobId)).toBe(handed);
}

describe("cancelJob raced with a completion (faults 13)", () => {
  it.each(["the completion first", "the cancellation first"])(
    "%s: one of them wins, and both answers say which",
    async (order) => {
      for (let round = 0; round < 25; round += 1) {
        const { job, held } = await claimedJob(server);
        const asks = [() => held.complete({ pages: 1 }), () => server.ann.cancelJob(job.id)];
        const inOrder = order === "the completion first" ? asks : asks.toReversed();
        const answers = await Promise.all(inOrder.map((ask) => ask()));
        const names = answers.map((answer) => answer.__typename).toSorted();
        const now = await server.ann.job(job.id);
        const isWon = now.state === "SUCCEEDED";
        expect(names).toEqual(
          isWon ? ["CompleteAttemptSuccess", "JobClosed"] : ["CancelJobSuccess", "ResultDiscarded"],
        );
        expect([now.state, now.result, now.winner?.number]).toEqual(
          isWon ? ["SUCCEEDED", { pages: 1 }, 1] : ["CANCELLED", null, undefined],
        );
        const ends = typesOf(now.events).filter((type) => type === "JOB_SUCCEEDED" || type === "JOB_CANCELLED");
        expect(ends).toHaveLength(1);
      }
    },
  );
});

describe("a job that was cancelled does not come back to life (faults 14)", () => {
  it.each(jobStates.filter((state) => state !== "SUCCEEDED"))("from %s", async (state) => {
    const { jobId, attemptId, held } = await reach(server, state);
    const cancelled = await server.ann.cancelJob(jobId);
    expect(cancelled).toMatchObject({
      __typename: "CancelJobSuccess",
      job: { state: "CANCELLED", viewerCanCancel: false },
    });
    await expectDead(jobId, attemptId);
    if (held === null) return;
    expect(await held.complete({ pages: 1 })).toMatchObject({
      __typename: "ResultDiscarded",
      job: { state: "CANCELLED" },
      winner: null,
    });
    expect(await server.ann.job(jobId)).toMatchObject({ state: "CANCELLED", result: null });
    expect(await server.ann.cancelJob(jobId)).toMatchObject({ __typename: "CancelJobSuccess" });
  });

  it("while it waits for its automatic retry", async () => {
    const { job, held } = await claimedJob(server, "patient");
    await held.fail("DEFINITE");
    const waiting = await server.ann.job(job.id);
    expect(waiting).toMatchObject({ state: "QUEUED", latestAttempt: { number: 2, state: "QUEUED" } });
    await server.ann.cancelJob(job.id);
    await expectDead(job.id, waiting.latestAttempt.id);
    expect((await server.ann.job(job.id)).latestAttempt).toMatchObject({ number: 2, state: "CANCELLED" });
  });

  it("while it waits for its time to start", async () => {
    const job = await newJob(server, "print", { notBefore: "2099-01-01T00:00:00.000Z" });
    expect(await server.worker.finds(job.id)).toBe(false);
    await server.ann.cancelJob(job.id);
    await expectDead(job.id, job.latestAttempt.id);
  });

  it("when the failure that a retry or a failover would follow comes after the cancellation", async () => {
    for (const remedy of ["SAME_PROVIDER", "OTHER_PROVIDER"]) {
      const { job, held } = await claimedJob(server);
      await server.ann.cancelJob(job.id);
      const before = await server.rowsOf(job.id);
      expect(await held.fail("DEFINITE", { remedy })).toMatchObject({ __typename: "AttemptClosed" });
      expect(await server.rowsOf(job.id)).toEqual(before);
      await expectDead(job.id, held.attempt.id);
    }
  });

  it("and one that has succeeded cannot be cancelled: JobClosed", async () => {
    const { jobId } = await reach(server, "SUCCEEDED");
    const before = await server.rowsOf(jobId);
    expect(await server.ann.cancelJob(jobId)).toMatchObject({ __typename: "JobClosed", job: { state: "SUCCEEDED" } });
    expect(await server.rowsOf(jobId)).toEqual(before);
  });

  it("and a worker learns of it with its next heartbeat", async () => {
    const { job, held } = await claimedJob(server);
    await server.ann.cancelJob(job.id);
    expect(await held.beat()).toMatchObject({
      __typename: "AttemptClosed",
      attempt: { state: "CANCELLED", effectUncertain: true },
    });
  });
});
