/** A thousand clients that come back at once: each is given what it missed, and starting a thousand streams is a few statements. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { type HeldWire, openHeldWire } from "../support/held-wire.ts";

import { followSteadily, type SteadyClient } from "../support/steady-client.ts";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { waitUntil } from "../support/wait-until.ts";

const clientCount = 1_000;
/** For a thousand sockets and their server in one process, on a busy machine. */
const patienceMs = 60_000;
/** The server does nothing by the clock, so that what is counted was asked for. */
const never = 3_600_000;
const runtime = { sweepMs: never, claimPollMs: never, feedPollMs: never };

let database: TestDatabase;
let wire: HeldWire;
const servers: ApiServer[] = [];
let letIn = (_: string): void => {};
const clients: SteadyClient[] = [];
const startServer = async () => {
  const server = await startApiServer({ databaseUrl: wire.url, runtime });
  servers.push(server);
  return server;
};
beforeAll(async () => {
  database = await createMigratedDatabase();
  wire = await openHeldWire(database.url);
});
afterAll(async () => {
  letIn("http://localhost:1");
  await Promise.all(clients.map((client) => client.stop()));
  for (const server of servers) await server.stop();
  await wire.close();
  await database.drop();
});

const createMany = `mutation ($jobs: [CreateJobInput!]!) {
  createJobs(input: { jobs: $jobs }) { ... on CreateJobsSuccess { results { ... on CreateJobSuccess { job { id } } } } } }`;
const cancelAll = `mutation {
  cancelJobs(input: { filter: { operation: "print" }, limit: 1000, reason: "over" }) {
    ... on CancelJobsSuccess { jobs { id } } } }`;

async function createJobs({ ann }: ApiServer): Promise<string[]> {
  const jobs = Array.from({ length: clientCount }, () => ({
    idempotencyKey: randomUUID(),
    operation: "print",
    input: { text: "Menu" },
  }));
  const { createJobs: answer } = await ann.ask<{ createJobs: { results: { job: { id: string } }[] } }>(createMany, {
    jobs,
  });
  return answer.results.map(({ job }) => job.id);
}

const haveAll = (last: number) =>
  waitUntil(
    `every client has its events up to ${last}`,
    () => clients.some(({ faults }) => faults.length > 0) || clients.every(({ numbers }) => numbers.length >= last),
    patienceMs,
  );

/** Every number once, in order, and nothing that a client would not try again after. */
function expectTruth(last: number): void {
  const whole = Array.from({ length: last }, (_, index) => index + 1);
  expect(clients.flatMap(({ faults }) => faults)).toEqual([]);
  for (const { numbers } of clients) expect(numbers).toEqual(whole);
}

/** What a server has executed to start all streams, where all of them wait for it at one moment. */
async function startTogether(server: ApiServer, come: () => void, started: () => Promise<unknown>): Promise<string[]> {
  const { subscriptions } = server.running.counts;
  const starts = wire.hold(
    "statements",
    (statement) => statement.includes("from jobs") || statement.includes("join jobs"),
  );
  come();
  await waitUntil("all are about to start", () => subscriptions.total === clientCount, patienceMs);
  return await wire.during(async () => {
    starts.release();
    await started();
  });
}

it("each has every event once after being cut, or after its server gave way to a fresh one; a thousand starts are a few statements", {
  timeout: 4 * patienceMs,
}, async () => {
  const first = await startServer();
  const jobIds = await createJobs(first);
  let url = Promise.resolve(first.url);
  clients.push(...jobIds.map((jobId) => followSteadily(jobId, () => url)));
  await haveAll(2);

  // Nobody may come back before what they are to miss has happened.
  url = new Promise((resolve) => {
    letIn = resolve;
  });
  for (const client of clients.slice(0, clientCount / 2)) client.cut();
  await waitUntil("half have been cut", () => first.running.followerCount() === clientCount / 2, patienceMs);
  await first.running.stop();
  await waitUntil("all are away", () => clients.every(({ closes }) => closes.length === 1), patienceMs);
  const second = await startServer();
  const { cancelJobs: cancelled } = await second.ann.ask<{ cancelJobs: { jobs: unknown[] } }>(cancelAll);
  expect(cancelled.jobs).toHaveLength(clientCount);
  const statements = await startTogether(
    second,
    () => letIn(second.url),
    () => haveAll(4),
  );
  expectTruth(4);
  expect(new Set(clients.flatMap(({ closes }) => closes))).toEqual(new Set([1006, 1001]));
  expect(second.running.followerCount()).toBe(clientCount);
  // Starts and readings of the feed, each for some hundreds of streams.
  expect(statements.length, statements.map((statement) => statement.slice(0, 60)).join("\n")).toBeLessThanOrEqual(30);

  await Promise.all(clients.map((client) => client.stop()));
  await waitUntil("nobody follows", () => second.running.followerCount() === 0);
  const { sockets, subscriptions } = second.running.counts;
  expect([sockets.total, subscriptions.total]).toEqual([0, 0]);
});
