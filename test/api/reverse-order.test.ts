/** The fourth breaking point, through the API: attempts that finish in reverse order. Exactly one result wins, and never a fenced one's. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Api, typesOf } from "../support/api-client.ts";
import { standing, takenOver, timedOutJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";

let server: ApiServer;
let ann: Api;
beforeAll(async () => {
  server = await startApiServer();
  ann = server.ann;
});
afterAll(() => server.stop());

describe("the fallback answers first", () => {
  it("and wins; the primary's late result is thrown away, with the winner named, and the job stays as it was", async () => {
    const { job, held: inkjet, second: laser } = await takenOver(server);
    expect(laser.attempt).toMatchObject({ number: 2, providerName: "laser", jobVersion: 2 });
    expect(await laser.complete({ pages: 1, note: "by the laser" })).toMatchObject({
      __typename: "CompleteAttemptSuccess",
    });
    const won = await ann.job(job.id);
    expect(won).toMatchObject({ state: "SUCCEEDED", winner: { number: 2, providerName: "laser" } });

    const late = await inkjet.complete({ pages: 1, note: "by the inkjet" });
    expect(late).toMatchObject({
      __typename: "ResultDiscarded",
      code: "RESULT_DISCARDED",
      job: { id: job.id, state: "SUCCEEDED", version: won.version },
      attempt: { number: 1, state: "CANCELLED" },
      winner: { number: 2, providerName: "laser" },
    });
    const now = await ann.job(job.id);
    const { lastEventNumber, attempts, events, ...rest } = now;
    const { lastEventNumber: numberBefore, attempts: _attempts, events: _events, ...before } = won;
    expect(rest).toEqual(before);
    expect(now.result).toEqual({ pages: 1, note: "by the laser" });
    expect(lastEventNumber).toBe(numberBefore + 1);
    expect(standing(attempts.nodes)).toEqual(["1 inkjet CANCELLED", "2 laser SUCCEEDED"]);
    expect(attempts.nodes[0]).toMatchObject({ effectUncertain: true, lateResultAt: expect.any(String) as string });
    expect(events).toHaveLength(lastEventNumber);
    expect((await ann.events(job.id)).at(-1)).toMatchObject({
      type: "RESULT_DISCARDED",
      jobState: "SUCCEEDED",
      attempt: { number: 1 },
      cause: "WORKER",
    });
    expect(JSON.stringify(now)).not.toContain("by the inkjet");
  });

  it("and the same late result is recorded once, however often it is sent, another one once more", async () => {
    const { job, held: inkjet, second: laser } = await takenOver(server);
    await laser.complete({ pages: 1 });
    for (const note of ["late", "late", "later", "late"]) {
      expect(await inkjet.complete({ pages: 1, note })).toMatchObject({ __typename: "ResultDiscarded" });
    }
    const { events } = await ann.job(job.id);
    expect(typesOf(events).filter((type) => type === "RESULT_DISCARDED")).toHaveLength(2);
  });

  it("tells the whole story in its events, in order and without a gap", async () => {
    const { job, held: inkjet, second: laser } = await takenOver(server, "brisk");
    await laser.running();
    await laser.complete({ pages: 1 });
    await inkjet.complete({ pages: 2 });
    const events = await ann.events(job.id);
    expect(events.map((event) => event.number)).toEqual(events.map((_, index) => index + 1));
    expect(events.map(({ type, attempt, jobState }) => `${type} ${attempt?.number ?? "-"} ${jobState}`)).toEqual([
      "JOB_CREATED - QUEUED",
      "ATTEMPT_QUEUED 1 QUEUED",
      "ATTEMPT_STARTING 1 RUNNING",
      "ATTEMPT_UNKNOWN 1 UNKNOWN",
      "ATTEMPT_CANCELLED 1 FAILED",
      "JOB_FAILED 1 FAILED",
      "ATTEMPT_QUEUED 2 QUEUED",
      "ATTEMPT_STARTING 2 RUNNING",
      "ATTEMPT_RUNNING 2 RUNNING",
      "ATTEMPT_SUCCEEDED 2 SUCCEEDED",
      "JOB_SUCCEEDED 2 SUCCEEDED",
      "RESULT_DISCARDED 1 SUCCEEDED",
    ]);
    expect(events.find((event) => event.number === 7)).toMatchObject({
      cause: "OPERATOR",
      actor: "olga",
      detail: { uncertifiedBy: "olga", reason: "the owner waits" },
    });
  });
});

describe("the primary answers first, fenced off", () => {
  it("and cannot win, though the slot is free: the fallback then does", async () => {
    const { job, held: inkjet, second: laser } = await takenOver(server, "brisk");
    const early = await inkjet.complete({ pages: 1, note: "by the inkjet" });
    expect(early).toMatchObject({ __typename: "ResultDiscarded", winner: null, job: { state: "RUNNING" } });
    expect(await ann.job(job.id)).toMatchObject({ state: "RUNNING", result: null, winner: null });
    expect(await laser.complete({ pages: 1, note: "by the laser" })).toMatchObject({
      __typename: "CompleteAttemptSuccess",
    });
    expect(await ann.job(job.id)).toMatchObject({
      state: "SUCCEEDED",
      result: { pages: 1, note: "by the laser" },
      winner: { number: 2 },
    });
  });

  it("and cannot win before the fallback is claimed, nor before there is one", async () => {
    const { job, held } = await timedOutJob(server);
    await server.operator.cancelAttempt(held.attempt.id);
    expect(await held.complete({ pages: 1, note: "before" })).toMatchObject({
      __typename: "ResultDiscarded",
      winner: null,
    });
    expect(await ann.job(job.id)).toMatchObject({ state: "FAILED", result: null });
    await ann.retry(job.id, held.attempt.id);
    expect(await held.complete({ pages: 1, note: "waiting" })).toMatchObject({
      __typename: "ResultDiscarded",
      winner: null,
    });
    expect(await ann.job(job.id)).toMatchObject({ state: "QUEUED", result: null, winner: null });
  });
});

describe("the primary is UNKNOWN, and nobody has cancelled it", () => {
  it("so its late success wins, and no second attempt ever was", async () => {
    const { job, held } = await timedOutJob(server);
    expect(
      await server.operator.retry(job.id, held.attempt.id, { provider: "laser", overrideGate: true, reason: "now" }),
    ).toMatchObject({
      __typename: "AttemptInFlight",
    });
    expect(await held.complete({ pages: 9 })).toMatchObject({ __typename: "CompleteAttemptSuccess" });
    const now = await ann.job(job.id);
    expect(now).toMatchObject({
      state: "SUCCEEDED",
      result: { pages: 9 },
      winner: { number: 1, providerName: "inkjet" },
    });
    expect(standing(now.attempts.nodes)).toEqual(["1 inkjet SUCCEEDED"]);
  });
});

it("of both results sent at the same moment exactly the fallback's is kept", async () => {
  for (const order of [0, 1]) {
    const { job, held: inkjet, second: laser } = await takenOver(server);
    const both = order === 0 ? [inkjet, laser] : [laser, inkjet];
    await Promise.all(both.map((held) => held.complete({ pages: held.attempt.number })));
    expect(await ann.job(job.id)).toMatchObject({ state: "SUCCEEDED", result: { pages: 2 }, winner: { number: 2 } });
  }
});
