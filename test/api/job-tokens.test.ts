/** A browser with a token for one job: it follows that job on every transport, and does what the token names, as the owner. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AttemptView, EventView, JobView } from "../support/api-answers.ts";
import { documentOf } from "../support/api-client.ts";
import { claimedJob, newJob, reach, standing } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { transports } from "../support/api-streams.ts";
import { everyRight, mint } from "../support/job-token.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

const whoami = "{ viewer { ownerId roles } }";

describe("a token for one job", () => {
  it("is an owner without a role", async () => {
    const browser = server.as(await mint(server, (await newJob(server)).id));
    expect(await browser.ask(whoami)).toEqual({ viewer: { ownerId: "ann", roles: [] } });
  });

  it("shows the job, its attempts and its events as the owner sees them", async () => {
    const { job, held } = await claimedJob(server);
    await held.running("spool-1");
    const browser = server.as(await mint(server, job.id, everyRight));
    expect(await browser.job(job.id)).toEqual(await server.ann.job(job.id));
    expect(await browser.events(job.id)).toEqual(await server.ann.events(job.id));
    const attempt = documentOf("attempt");
    const variables = { id: held.attempt.id };
    expect(await browser.ask(attempt, variables)).toEqual(await server.ann.ask(attempt, variables));
    for (const id of [job.id, held.attempt.id])
      expect(await browser.ask("query ($id: ID!) { node(id: $id) { id } }", { id })).toEqual({ node: { id } });
  });

  it.each(transports)("follows the job over %s to its end, with every event and attempt", async (_name, connect) => {
    const job = await newJob(server);
    const streams = connect(server.url, await mint(server, job.id));
    const jobs = streams.open<JobView>("job-updated", { id: job.id });
    const events = streams.open<EventView>("job-events", { jobId: job.id });
    const attempts = streams.open<AttemptView>("attempt-updated", { jobId: job.id });
    await Promise.all([jobs.sees(1), events.sees(2), attempts.sees(1)]);
    const held = await server.worker.take(job.id);
    await held.running();
    await held.complete({ pages: 1 });
    expect((await jobs.shows("the end", ({ state }) => state === "SUCCEEDED")).result).toEqual({ pages: 1 });
    await jobs.ends();
    await events.shows("the end", ({ type }) => type === "JOB_SUCCEEDED");
    await attempts.shows("the end", ({ state }) => state === "SUCCEEDED");
    expect(events.seen.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect([jobs, events, attempts].flatMap(({ errors }) => errors)).toEqual([]);
    streams.close();
  });

  it("with mayRetry starts the next attempt, on the record as the owner's act", async () => {
    const { jobId, attemptId } = await reach(server, "FAILED");
    const browser = server.as(await mint(server, jobId, { mayRetry: true }));
    expect((await browser.job(jobId)).viewerCanRetry).toBe(true);
    expect(await browser.retry(jobId, attemptId)).toMatchObject({
      __typename: "RetryJobSuccess",
      job: { id: jobId, state: "QUEUED" },
    });
    const second = await browser.retry(jobId, attemptId, { provider: "inkjet" });
    expect(second.__typename).toBe("AttemptInFlight");
    expect((await browser.events(jobId)).at(-1)).toMatchObject({
      type: "ATTEMPT_QUEUED",
      cause: "OWNER",
      actor: "ann",
      detail: { provider: "inkjet", jobToken: true },
    });
  });

  it("with mayCancel withdraws the job, on the record as the owner's act", async () => {
    const job = await newJob(server);
    const browser = server.as(await mint(server, job.id, { mayCancel: true }));
    expect((await browser.job(job.id)).viewerCanCancel).toBe(true);
    const answer = await browser.cancelJob(job.id);
    expect(answer).toMatchObject({ __typename: "CancelJobSuccess", job: { state: "CANCELLED" } });
    const told = { cause: "OWNER", actor: "ann", detail: { reason: null, jobToken: true } };
    expect((await browser.events(job.id)).slice(-2)).toMatchObject([
      { type: "ATTEMPT_CANCELLED", ...told },
      { type: "JOB_CANCELLED", ...told },
    ]);
  });

  it("with mayCancel ends a waiting attempt, and one in a worker's hands only where the operation lets its owner", async () => {
    const waiting = await newJob(server);
    const own = server.as(await mint(server, waiting.id, { mayCancel: true }));
    expect((await own.job(waiting.id)).latestAttempt.viewerCanCancel).toBe(true);
    expect((await own.cancelAttempt(waiting.latestAttempt.id)).__typename).toBe("CancelAttemptSuccess");
    expect((await own.events(waiting.id)).at(-2)).toMatchObject({
      type: "ATTEMPT_CANCELLED",
      cause: "OWNER",
      detail: { reason: null, jobToken: true },
    });

    for (const [operation, isOwners] of [
      ["preview", true],
      ["print", false],
    ] as const) {
      const { job, held } = await claimedJob(server, operation);
      const browser = server.as(await mint(server, job.id, { mayCancel: true }));
      const { latestAttempt } = await browser.job(job.id);
      expect(latestAttempt.viewerCanCancel, operation).toBe(isOwners);
      const outcome = browser.cancelAttempt(held.attempt.id).then(
        ({ __typename }) => __typename,
        (error: unknown) => String(error),
      );
      expect(await outcome, operation).toMatch(isOwners ? /^CancelAttemptSuccess$/ : /only an operator/);
    }
  });

  it("without a right says so where the button would be", async () => {
    const failed = await reach(server, "FAILED");
    const waiting = await newJob(server);
    const [retrying, cancelling] = [{ mayRetry: true }, { mayCancel: true }];
    const seen = async (jobId: string, rights: object) => {
      const job = await server.as(await mint(server, jobId, { ...rights })).job(jobId);
      return [job.viewerCanRetry, job.viewerCanCancel, job.latestAttempt.viewerCanCancel];
    };
    expect(await seen(failed.jobId, {})).toEqual([false, false, false]);
    expect(await seen(failed.jobId, cancelling)).toEqual([false, true, false]);
    expect(await seen(failed.jobId, retrying)).toEqual([true, false, false]);
    expect(await seen(waiting.id, retrying)).toEqual([false, false, false]);
    expect(await seen(waiting.id, cancelling)).toEqual([false, true, true]);
  });

  it("leaves no trace in what is recorded of the owner's own acts", async () => {
    const { jobId, attemptId } = await reach(server, "FAILED");
    await server.ann.retry(jobId, attemptId);
    expect((await server.ann.events(jobId)).at(-1)?.detail).toEqual({ provider: "inkjet" });
    await server.ann.cancelJob(jobId);
    expect((await server.ann.events(jobId)).at(-1)?.detail).toEqual({ reason: null });
  });

  it("goes on after the job has failed and was retried by its owner", async () => {
    const { jobId, attemptId } = await reach(server, "FAILED");
    const browser = server.as(await mint(server, jobId));
    await server.ann.retry(jobId, attemptId);
    expect(standing((await browser.job(jobId)).attempts.nodes)).toEqual(["1 inkjet FAILED", "2 inkjet QUEUED"]);
  });
});
