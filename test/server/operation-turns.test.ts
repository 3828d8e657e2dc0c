/** How an owner's operations take turns: more than the limit wait, others' do not wait for them, claims and reports of progress are apart, and what its caller has left is not begun. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { decodeId } from "../../src/store/ids.ts";
import { documentOf, type Fields } from "../support/api-client.ts";
import { apiConfig, tokens } from "../support/api-config.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { holdJob } from "../support/hold-job.ts";
import { waitUntil } from "../support/wait-until.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer({
    config: { ...apiConfig, limits: { operationsPerOwner: 1 }, live: { progressMs: 10_000 } },
  });
});
afterAll(() => server.stop());

const create = (idempotencyKey: string) => ({ idempotencyKey, operation: "any", input: 1 });

async function isRecorded(key: string): Promise<boolean> {
  const rows = await server.sql`select 1 from jobs where idempotency_key = ${key}`;
  return rows.length > 0;
}

/** An operation of ann's that waits for a row which a session outside has locked, and so holds her one turn. */
async function holdTurn() {
  const job = await newJob(server);
  const held = await holdJob(server.sql, decodeId("job", job.id) ?? "");
  return { held, first: await held.line(() => server.ann.cancelJob(job.id)) };
}

it("one more than the limit waits until another has its answer; other owners do not wait", async () => {
  const { held, first } = await holdTurn();
  const key = randomUUID();
  const second = server.ann.create(create(key));
  expect(await server.as("bob").create(create(randomUUID()))).toMatchObject({ created: true });
  expect(await server.operator.ask("{ viewer { ownerId } }")).toMatchObject({ viewer: { ownerId: "olga" } });
  expect(await isRecorded(key)).toBe(false);
  await held.release();
  expect(await first.answer).toMatchObject({ __typename: "CancelJobSuccess" });
  expect(await second).toMatchObject({ created: true });
});

it("an operation that fails gives its turn on", async () => {
  const nonsense = server.ann.ask("{ jobs(first: 101) { nodes { id } } }");
  await expect(nonsense).rejects.toThrow("first is 101");
  expect(await server.ann.create(create(randomUUID()))).toMatchObject({ created: true });
});

it("a claim that waits for work takes no turn", async () => {
  await server.worker.claim({ limit: 100, claimKey: randomUUID() });
  const waiting = server.worker.claim({ providers: ["plotter"], waitMs: 20_000, claimKey: randomUUID() });
  const { viewer } = await server.worker.api.ask<{ viewer: Fields }>("{ viewer { ownerId } }");
  expect(viewer).toEqual({ ownerId: "print-shop" });
  await server.ann.create({ ...create(randomUUID()), provider: "plotter" });
  expect(await waiting).toHaveLength(1);
});

it("a report that waits for its window takes no turn", async () => {
  const job = await newJob(server);
  const held = await server.worker.take(job.id);
  await held.beat({ fraction: 0.1 });
  let isAnswered = false;
  const report = held.beat({ fraction: 0.2 }).finally(() => (isAnswered = true));
  await server.worker.api.ask("{ viewer { ownerId } }");
  expect(isAnswered).toBe(false);
  await held.complete({ pages: 1 });
  expect(await report).toMatchObject({ __typename: "HeartbeatAttemptSuccess" });
});

it.each([
  [
    "a claim that nobody asks for stands beside it",
    'mutation C { claimAttempts(input: {workerId: "w", providers: []}) { __typename } }',
  ],
  ["a claim's name is another field's alias", ""],
])("an operation waits for its turn also where %s", async (_what, beside) => {
  const { held, first } = await holdTurn();
  const key = randomUUID();
  const alias = beside === "" ? "claimAttempts: " : "";
  const document = `${beside} mutation A($input: CreateJobInput!) { ${alias}createJob(input: $input) { __typename } }`;
  const body = JSON.stringify({ query: document, variables: { input: create(key) }, operationName: "A" });
  const headers = { "content-type": "application/json", authorization: `Bearer ${tokens.ann}` };
  const second = fetch(`${server.url}/graphql`, { method: "POST", headers, body });
  for (let times = 0; times < 5; times += 1) await server.as("bob").ask("{ viewer { ownerId } }");
  expect(await isRecorded(key)).toBe(false);
  await held.release();
  await first.answer;
  expect(await (await second).text()).toContain("CreateJobSuccess");
});

it("what waits for its turn on a socket that was cut is never begun", async () => {
  const { held, first } = await holdTurn();
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init", payload: { token: tokens.ann } }));
  await once(socket, "message");
  const key = randomUUID();
  const payload = { query: documentOf("create-job"), variables: { input: create(key) } };
  socket.send(JSON.stringify({ id: "1", type: "subscribe", payload }));
  // Answered once everything before it was read.
  socket.send(JSON.stringify({ type: "ping" }));
  await once(socket, "message");
  socket.terminate();
  await waitUntil("the server has noticed", () => server.running.counts.sockets.total === 0);
  const later = server.ann.create(create(randomUUID()));
  await held.release();
  await first.answer;
  expect(await later).toMatchObject({ created: true });
  expect(await isRecorded(key)).toBe(false);
});
