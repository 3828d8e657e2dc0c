/** The endpoint over WebSocket: how a caller is recognised, what closes a socket and what does not. What the fields answer is not looked at. */
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, expect, it } from "vitest";
import WebSocket from "ws";
import { type RunningServer, startServer } from "../../src/server/compose.ts";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { guardedConfig, printConfig, tokens } from "./fixtures/print-config.ts";

const viewerQuery = "{ viewer { ownerId } }";

let database: TestDatabase;
let guarded: RunningServer;
let open: RunningServer;

beforeAll(async () => {
  database = await createMigratedDatabase();
  const start = (config: typeof printConfig) => startServer({ config, port: 0, databaseUrl: database.url });
  [guarded, open] = await Promise.all([start(guardedConfig), start(printConfig)]);
});
afterAll(async () => {
  await Promise.all([guarded.stop(), open.stop()]);
  await database.drop();
});

interface Answer {
  readonly results: readonly unknown[];
  readonly error?: unknown;
}

function connect(
  server: RunningServer,
  connectionParams?: Record<string, unknown>,
  options: WebSocket.ClientOptions = {},
) {
  class Socket extends WebSocket {
    constructor(address: string, protocols: string) {
      super(address, protocols, options);
    }
  }
  const url = `${server.url.replace("http", "ws")}/graphql`;
  return createClient({
    url,
    webSocketImpl: Socket,
    retryAttempts: 0,
    lazyCloseTimeout: 200,
    ...(connectionParams && { connectionParams }),
  });
}

function ask(
  client: ReturnType<typeof createClient>,
  query: string,
  headers?: Record<string, string>,
): Promise<Answer> {
  return new Promise((resolve) => {
    const results: unknown[] = [];
    client.subscribe(
      { query, ...(headers && { extensions: { headers } }) },
      {
        next: (result) => results.push(result),
        error: (error) => resolve({ results, error }),
        complete: () => resolve({ results }),
      },
    );
  });
}

const asAnn = { results: [{ data: { viewer: { ownerId: "ann" } } }] };

it.each([{ authorization: `Bearer ${tokens.ann}` }, { Authorization: `Bearer ${tokens.ann}` }, { token: tokens.ann }])(
  "takes the token in connectionParams, here %j",
  async (params) => expect(await ask(connect(guarded, params), viewerQuery)).toEqual(asAnn),
);

it("takes it with an operation as well, as GraphiQL sends it, and asks for it otherwise", async () => {
  const client = connect(guarded);
  expect(await ask(client, viewerQuery, { Authorization: `Bearer ${tokens.ann}` })).toEqual(asAnn);
  expect(await ask(client, viewerQuery)).toMatchObject({ error: [{ extensions: { code: "UNAUTHENTICATED" } }] });
});

it("closes with 4403 on a wrong token, which clients may try again", async () => {
  expect(await ask(connect(guarded, { token: "token-of-nobody-01" }), viewerQuery)).toMatchObject({
    error: { code: 4403 },
  });
});

it("does not open for a page of another site", async () => {
  const answer = await ask(connect(open, undefined, { origin: "https://elsewhere.example" }), viewerQuery);
  expect(String((answer.error as { message?: string }).message)).toContain("403");
});

it("answers what is wrong with a document and keeps the socket for the others", async () => {
  const client = connect(open);
  let closed = 0;
  client.on("closed", () => {
    closed += 1;
  });
  const wrong = await Promise.all(
    ["{", "{ nothing }", "query A { __typename } query B { __typename }"].map((query) => ask(client, query)),
  );
  expect(wrong.map((answer) => (answer.error as { extensions: { code: string } }[])[0]?.extensions)).toEqual([
    { code: "GRAPHQL_PARSE_FAILED" },
    { code: "GRAPHQL_VALIDATION_FAILED" },
    { code: "OPERATION_RESOLUTION_FAILURE" },
  ]);
  expect(await ask(client, viewerQuery)).toEqual({ results: [{ data: { viewer: { ownerId: "local" } } }] });
  expect(closed).toBe(0);
});

it("goes away in order: sockets with 1001, readiness off, no new connections", async () => {
  const server = await startServer({ config: printConfig, port: 0, databaseUrl: database.url });
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  await new Promise((resolve) => socket.once("open", resolve));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await Promise.all([server.stop(), server.stop()]);
  expect(await closed).toBe(1001);
  await expect(fetch(`${server.url}/health/live`)).rejects.toThrow("fetch failed");
});

it("lets an idempotency key stand for an operation's own, and never for all that a connection asks for", async () => {
  const create = `mutation { createJob(input: { operation: "print", input: { text: "Menu" } }) {
    __typename ... on InvalidInput { issues { path } } } }`;
  const missing = { createJob: { __typename: "InvalidInput", issues: [{ path: "/idempotencyKey" }] } };
  const client = connect(guarded, { token: tokens.ann, "Idempotency-Key": "of the connection" });
  expect(await ask(client, create)).toEqual({ results: [{ data: missing }] });
  const created = { createJob: { __typename: "CreateJobSuccess" } };
  expect(await ask(client, create, { "Idempotency-Key": "of the operation" })).toEqual({
    results: [{ data: created }],
  });
});
