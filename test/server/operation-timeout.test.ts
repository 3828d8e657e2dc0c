/** What a query or mutation without a result in time is answered, over HTTP and WebSocket, and that what it asked for goes on. */
import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { composeServer, type RunningServer } from "../../src/server/compose.ts";
import { compileConfig } from "../../src/server/config/compile-config.ts";
import { captureLog } from "../support/capture-log.ts";
import { openRawSocket, type RawSocket } from "../support/raw-socket.ts";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { waitUntil } from "../support/wait-until.ts";
import { guardedConfig, tokens } from "./fixtures/print-config.ts";

/** Less than a configuration may say, and more than an honest call takes here. */
const operationTimeoutMs = 1_500;
const { log, expectSilence } = captureLog();

let database: TestDatabase;
let server: RunningServer;
let sql: postgres.Sql;
beforeAll(async () => {
  database = await createMigratedDatabase();
  const port = { source: "port", text: "0" };
  const config = compileConfig(guardedConfig, { port, databaseUrl: { source: "databaseUrl", text: database.url } });
  server = await composeServer({ ...config, limits: { ...config.limits, operationTimeoutMs } }, log);
  sql = postgres(database.url, { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await sql.end();
  await server.stop();
  await database.drop();
  expectSilence();
});

const create = (key: string) =>
  `mutation { createJob(input: { idempotencyKey: "${key}", operation: "print", provider: "outside", input: { text: "t" } }) {
    ... on CreateJobSuccess { created job { idempotencyKey } } } }`;
const jobs = "{ jobs(first: 1) { nodes { id } } }";

function post(query: string, accept: string): Promise<Response> {
  const headers = { "content-type": "application/json", accept, authorization: `Bearer ${tokens.ann}` };
  return fetch(`${server.url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
}

/** Nobody reads or writes a job meanwhile. */
async function whileHeld(work: () => Promise<void>): Promise<void> {
  await sql.begin(async (session) => {
    await session`lock table jobs in access exclusive mode`;
    await work();
  });
}

const timedOut = [
  { extensions: { code: "OPERATION_TIMEOUT" }, message: expect.stringContaining("same idempotency key") as string },
];

it.each([
  ["a query in application/json", jobs, "application/json", 200],
  ["a query in the media type of GraphQL", jobs, "application/graphql-response+json", 504],
  ["a mutation in application/json", create("json"), "application/json", 200],
  ["a mutation in the media type of GraphQL", create("graphql"), "application/graphql-response+json", 504],
])("answers %s with OPERATION_TIMEOUT", async (_what, query, accept, status) => {
  await whileHeld(async () => {
    const answer = await post(query, accept);
    expect({ status: answer.status, answer: await answer.json() }).toMatchObject({
      status,
      answer: { errors: timedOut },
    });
  });
});

it("answers the operation alone over WebSocket, and leaves the socket and its subscription open", async () => {
  const socket: RawSocket = await openRawSocket(server.url, { params: { token: tokens.ann } });
  socket.subscribe("stream", "subscription { jobsUpdated { idempotencyKey } }");
  await waitUntil("the subscription is open", () => server.counts.subscriptions.total === 1);
  await whileHeld(async () => {
    socket.subscribe("1", jobs);
    expect(await socket.answer("1")).toMatchObject({ type: "next", payload: { errors: timedOut } });
  });
  const key = randomUUID();
  socket.subscribe("2", create(key));
  expect(await socket.answer("2")).toMatchObject({ payload: { data: { createJob: { created: true } } } });
  await waitUntil("the subscription tells of it", () =>
    socket.messages.find(({ id, payload }) => id === "stream" && JSON.stringify(payload).includes(key)),
  );
  socket.socket.terminate();
});

it("records what was asked for all the same, and the same key asks after it", async () => {
  const key = randomUUID();
  await whileHeld(async () => {
    expect(await (await post(create(key), "application/json")).json()).toMatchObject({ errors: timedOut });
  });
  await waitUntil("the job is recorded", async () => {
    const [row] = await sql<
      { found: boolean }[]
    >`select exists (select from jobs where idempotency_key = ${key}) as found`;
    return row?.found;
  });
  expect(await (await post(create(key), "application/json")).json()).toEqual({
    data: { createJob: { created: false, job: { idempotencyKey: key } } },
  });
});
