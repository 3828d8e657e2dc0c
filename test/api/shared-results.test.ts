/** What many follow alike is carried out and made into text once, over both transports; and everyone is told what they would be told alone. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Bearer, Caller } from "../support/api-config.ts";
import { claimedJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { type Stream, type Streams, transports } from "../support/api-streams.ts";
import { everyRight, mint } from "../support/job-token.ts";
import { waitUntil } from "../support/wait-until.ts";

let server: ApiServer;
const open: Streams[] = [];
beforeAll(async () => {
  server = await startApiServer({ runtime: { feedPollMs: 600_000 } });
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const one of open.splice(0)) one.close();
});
afterAll(() => server.stop());

/** How often the job's time of creation is resolved, and a result of the subscription made into text. */
function countWork(createdAt: string, field: string) {
  const counts = { executions: 0, texts: 0 };
  const { toISOString } = Date.prototype;
  vi.spyOn(Date.prototype, "toISOString").mockImplementation(function (this: Date) {
    const text = toISOString.call(this);
    if (text === createdAt) counts.executions += 1;
    return text;
  });
  const { stringify } = JSON;
  const count = (value: unknown, ...more: []) => {
    const text = stringify(value, ...more);
    if (text?.includes(`"data":{"${field}":`)) counts.texts += 1;
    return text;
  };
  vi.spyOn(JSON, "stringify").mockImplementation(count as typeof JSON.stringify);
  return counts;
}

const shown = "id state lastEventNumber createdAt viewerCanCancel viewerCanRetry";
const documents = {
  jobUpdated: `subscription ($id: ID!) { jobUpdated(id: $id) { ${shown} } }`,
  jobEvents: `subscription ($id: ID!, $after: Int! = 0) { jobEvents(jobId: $id, after: $after) { number job { ${shown} } } }`,
  attemptUpdated: `subscription ($id: ID!) { attemptUpdated(jobId: $id) { id job { ${shown} } } }`,
  jobsUpdated: `subscription ($key: String) { jobsUpdated(filter: { idempotencyKey: $key }) { ${shown} } }`,
};
type Name = keyof typeof documents;

describe.each(transports)("over %s", (_name, connect) => {
  function as(caller: Caller | Bearer): Streams {
    const streams = connect(server.url, caller);
    open.push(streams);
    return streams;
  }

  async function haveAll(streams: readonly Stream<unknown>[], counts: readonly number[]): Promise<void> {
    const isTold = () => streams.every(({ seen }, index) => seen.length >= (counts[index] ?? 0));
    await waitUntil("all followers have been told", isTold);
  }

  it.each(Object.keys(documents) as Name[])("twenty who follow %s alike are served by one execution", async (name) => {
    const { job, held } = await claimedJob(server);
    const sockets = [as("ann"), as("annAtHome")];
    const events = name === "jobEvents" ? 3 : 0;
    // Where each of them began makes no difference to what follows.
    const streams = Array.from({ length: 20 }, (_, index) => {
      const variables = { id: job.id, ...(events > 0 && { after: index % 4 }), key: job.idempotencyKey };
      return (sockets[index % 2] as Streams).open(documents[name], variables);
    });
    // jobsUpdated begins with the next change, and does not say when it has begun.
    const { subscriptions } = server.running.counts;
    await waitUntil("all follow", () => subscriptions.total >= streams.length);
    const present = streams.map((_, index) => (events > 0 ? 3 - (index % 4) : Number(name !== "jobsUpdated")));
    await haveAll(streams, present);
    const { asked } = await server.ann.ask<{ asked: { createdAt: string } }>(
      `{ asked: job(id: "${job.id}") { createdAt } }`,
    );
    const counts = countWork(asked.createdAt, name);
    const { attempt, claim } = held;
    await server.worker.api.ask(
      `mutation { markAttemptRunning(input: { attemptId: "${attempt.id}", leaseToken: "${claim.leaseToken}" }) { __typename } }`,
    );
    await haveAll(
      streams,
      present.map((count) => count + 1),
    );
    expect(counts).toEqual({ executions: 1, texts: 1 });
  });

  it("the job's owner, her tokens for it and an operator are each told what they would be told alone", async () => {
    const { job, held } = await claimedJob(server);
    const follows = { mayRetry: false, mayCancel: false };
    const callers = ["ann", "operator", await mint(server, job.id, everyRight), await mint(server, job.id, follows)];
    const selection = (count: string) =>
      `${shown} latestAttempt { viewerCanCancel provider { revision } } events(first: ${count}) { number }`;
    const document = `subscription ($id: ID!, $n: Int!) { jobUpdated(id: $id) { ${selection("$n")} } }`;
    const followed = [1, 2, 1, 2].flatMap((n) =>
      callers.map((caller) => ({ n, caller, stream: as(caller as Caller).open<object>(document, { id: job.id, n }) })),
    );
    await Promise.all(followed.map(({ stream }) => stream.sees(1)));
    for (const act of [() => held.running(), () => held.fail("DEFINITE", { remedy: "NONE" })]) {
      const before = followed.map(({ stream }) => stream.seen.length);
      await act();
      await haveAll(
        followed.map(({ stream }) => stream),
        before.map((count) => count + 1),
      );
    }
    for (const { n, caller, stream } of followed) {
      const alone = `{ now: job(id: "${job.id}") { ${selection(String(n))} } }`;
      const { now } = await server.as(caller as Caller).ask<{ now: object }>(alone);
      expect(stream.seen.at(-1)).toEqual(now);
    }
    // The question is worth asking: they are told four different things, twice.
    expect(new Set(followed.map(({ stream }) => JSON.stringify(stream.seen.at(-1)))).size).toBeGreaterThanOrEqual(6);
  });

  it("those who ask for different fields are each shown theirs", async () => {
    const { job, held } = await claimedJob(server);
    const streams = ["id", "state", "state version", "state"].map((selection) =>
      as("ann").open<object>(`subscription ($id: ID!) { jobUpdated(id: $id) { ${selection} } }`, { id: job.id }),
    );
    await Promise.all(streams.map((stream) => stream.sees(1)));
    await held.fail("DEFINITE", { remedy: "NONE" });
    await Promise.all(streams.map((stream) => stream.sees(2)));
    const state = "FAILED";
    expect(streams.map(({ seen }) => seen[1])).toEqual([{ id: job.id }, { state }, { state, version: 2 }, { state }]);
  });

  it("the error of a single field reaches everyone, with what else there is to show", async () => {
    const { job, held } = await claimedJob(server);
    const document = `subscription ($id: ID!) { jobUpdated(id: $id) { state liveAttempt { job { events(first: 501) { number } } } } }`;
    const streams = [as("ann"), as("ann"), as("annAtHome")].map((one) => one.open<object>(document, { id: job.id }));
    await Promise.all(streams.map((stream) => stream.sees(1)));
    await held.running();
    for (const stream of streams) {
      const shownAnyway = { state: "RUNNING", liveAttempt: null };
      expect(await stream.sees(2)).toEqual([shownAnyway, shownAnyway]);
      expect(stream.errors.map(({ code }) => code)).toEqual(["BAD_USER_INPUT", "BAD_USER_INPUT"]);
    }
  });

  it("whoever leaves takes nothing from the others, who get each event once and in order", async () => {
    const { job, held } = await claimedJob(server);
    const leaving = as("ann");
    const first = leaving.open<{ number: number }>(documents.jobEvents, { id: job.id });
    const staying = [0, 1, 2].map(() => as("ann").open<{ number: number }>(documents.jobEvents, { id: job.id }));
    await Promise.all([first, ...staying].map((stream) => stream.sees(3)));
    const running = held.running();
    first.stop();
    await running;
    leaving.close();
    await held.fail("DEFINITE", { remedy: "NONE" });
    await server.ann.retry(job.id, held.attempt.id);
    await server.ann.cancelJob(job.id);
    const { lastEventNumber } = await server.ann.job(job.id);
    for (const stream of staying) {
      const numbers = (await stream.sees(lastEventNumber)).map(({ number }) => number);
      expect(numbers).toEqual(Array.from(numbers, (_, index) => index + 1));
    }
  });
});
