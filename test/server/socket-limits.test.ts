/** What one rude WebSocket may do to a server: how much it may send, how many an owner may have, and that others are answered meanwhile. */
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningServer, startServer } from "../../src/server/compose.ts";
import { maxUnansweredOperations } from "../../src/server/socket/socket-load.ts";
import { captureLog } from "../support/capture-log.ts";
import { codesIn, openRawSocket, type RawSocket } from "../support/raw-socket.ts";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { waitUntil } from "../support/wait-until.ts";
import { guardedConfig, tokens } from "./fixtures/print-config.ts";

const bodyBytes = 4_096;
const limits = { bodyBytes, connectionsPerOwner: 2, connections: 3_000 };
const viewerQuery = "{ viewer { ownerId } }";
const { log, expectSilence } = captureLog();

let database: TestDatabase;
let server: RunningServer;
beforeAll(async () => {
  database = await createMigratedDatabase();
  server = await startServer({ config: { ...guardedConfig, limits }, port: 0, databaseUrl: database.url, log });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  expectSilence();
});

const asWorker = { token: tokens.worker };
const open = (params: Record<string, unknown> | null = { token: tokens.ann }) => openRawSocket(server.url, { params });

async function leave(...sockets: readonly RawSocket[]): Promise<void> {
  for (const { socket } of sockets) socket.terminate();
  await waitUntil("nobody is counted any more", () => server.counts.sockets.total === 0);
}

/** Another caller's call, on a connection that is open already. */
async function isAnswered(other: RawSocket, id: string): Promise<void> {
  other.subscribe(id, viewerQuery);
  expect(await other.answer(id)).toMatchObject({ payload: { data: { viewer: { ownerId: "printer" } } } });
}

it("takes a message of as many bytes as a body may have, and closes with 1009 at one more, in one frame or several", async () => {
  const other = await open(asWorker);
  const message = (bytes: number) => {
    const text = JSON.stringify({ id: "1", type: "subscribe", payload: { query: `${viewerQuery}#` } });
    return text.replace("#", `#${"x".repeat(bytes - text.length)}`);
  };
  const fitting = await open();
  fitting.socket.send(message(bodyBytes));
  expect(await fitting.answer("1")).toMatchObject({ payload: { data: { viewer: { ownerId: "ann" } } } });
  const whole = await open();
  whole.socket.send(message(bodyBytes + 1));
  expect(await whole.closed).toMatchObject({ code: 1009 });
  const inPieces = await open();
  for (let piece = 0; piece < 5; piece += 1) inPieces.socket.send("x".repeat(1_000), { fin: false });
  expect(await inPieces.closed).toMatchObject({ code: 1009 });
  await isAnswered(other, "after");
  await leave(other, fitting);
});

it("inflates nothing: a compressed message is not even agreed on", async () => {
  const { socket, ...rest } = await open();
  expect(socket.extensions).toBe("");
  await leave({ socket, ...rest });
});

it("closes a socket that says nothing with 4408, and one that asks before it has said who it is with 4401", async () => {
  const [silent, hasty] = await Promise.all([open(null), open(null)]);
  hasty.subscribe("1", viewerQuery);
  expect(await hasty.closed).toMatchObject({ code: 4401 });
  expect(await silent.closed).toMatchObject({ code: 4408 });
});

it("closes with 4400 on what is no message of a client's, and logs no error of its own", async () => {
  for (const message of [
    "{",
    '{ "type": "connection_ack" }',
    '{ "type": "next", "id": "1", "payload": { "data": {} } }',
  ]) {
    const rude = await open();
    rude.socket.send(message);
    expect(await rude.closed, message).toMatchObject({ code: 4400 });
  }
});

it("has room for an owner's last socket, and closes one more with 1013 until another has gone, however it went", async () => {
  const first = await open();
  const second = await open();
  const third = await open();
  expect(await third.closed).toEqual({
    code: 1013,
    reason: "This owner has 2 connections open, which is the most: close one, or share one.",
  });
  const other = await open(asWorker);
  await isAnswered(other, "meanwhile");
  expect(server.counts.sockets.total).toBe(3);

  const takesAnother = async (): Promise<RawSocket> => {
    await waitUntil("one has gone", () => server.counts.sockets.total === 2);
    const socket = await open();
    expect(socket.messages).toEqual([{ type: "connection_ack" }]);
    return socket;
  };
  first.socket.terminate();
  const fourth = await takesAnother();
  second.socket.close();
  const fifth = await takesAnother();
  await leave(fourth, fifth, other);
});

it("counts a socket that names its owner with an operation alone from that operation on", async () => {
  const [first, second, third] = await Promise.all([open({}), open({}), open({})]);
  const extensions = { headers: { authorization: `Bearer ${tokens.ann}` } };
  const ask = (socket: RawSocket) =>
    socket.send({ id: "1", type: "subscribe", payload: { query: viewerQuery, extensions } });
  expect(server.counts.sockets.total).toBe(0);
  for (const socket of [first, second]) {
    ask(socket);
    expect(await socket.answer("1")).toMatchObject({ payload: { data: { viewer: { ownerId: "ann" } } } });
  }
  ask(third);
  expect(await third.closed).toMatchObject({ code: 1013 });
  await leave(first, second);
});

it("takes as many operations as may wait, refuses each one more by itself, and takes another once one is answered", async () => {
  const worker = await open(asWorker);
  const claim = `mutation ($claimKey: String!) {
    claimAttempts(input: { workerId: "w", providers: ["outside"], claimKey: $claimKey, waitMs: 30000 }) { __typename } }`;
  const ask = (id: string) => worker.subscribe(id, claim, { claimKey: id });
  for (let id = 1; id <= maxUnansweredOperations; id += 1) ask(String(id));
  ask("one more");
  expect(codesIn(await worker.answer("one more"))).toEqual(["OPERATION_LIMIT_EXCEEDED"]);
  expect(worker.messages).toHaveLength(2);

  const owner = await open();
  owner.subscribe(
    "1",
    `mutation { createJob(input: { idempotencyKey: "k", operation: "print", provider: "outside", input: { text: "t" } }) { __typename } }`,
  );
  const answered = await waitUntil("a claim is answered", () =>
    worker.messages.find(({ type, id }) => type === "complete" && id !== "one more"),
  );
  expect(codesIn(await worker.answer(answered.id ?? ""))).toEqual([]);
  await isAnswered(worker, "after");
  await leave(worker, owner);
});

it("closes with 1008 on a client that goes on asking and reads no answer", async () => {
  const [rude, other] = await Promise.all([open(), open(asWorker)]);
  rude.socket.pause();
  const alias = "x".repeat(bodyBytes - 200);
  for (let id = 1; id <= 8_000; id += 1) rude.subscribe(String(id), `{ ${alias}: __typename }`);
  await waitUntil("everything has been sent", () => rude.socket.bufferedAmount === 0);
  await isAnswered(other, "meanwhile");
  rude.socket.resume();
  expect(await rude.closed).toMatchObject({ code: 1008 });
  await leave(other);
});

it("answers others while 2,000 sockets are open and idle, and forgets them once they have been cut", async () => {
  const { port } = server;
  const idle: Socket[] = [];
  while (idle.length < 2_000) {
    // No more at once than the queue of a listening socket holds.
    for (let more = 0; more < 250; more += 1) idle.push(connect(port, "127.0.0.1").on("error", () => {}));
    await waitUntil("all are counted", () => server.counts.connections.open >= idle.length);
  }
  const other = await open(asWorker);
  await isAnswered(other, "meanwhile");
  for (const socket of idle) socket.resetAndDestroy();
  await leave(other);
  await waitUntil("all are forgotten", () => server.counts.connections.open === 0);
  expect(server.counts.subscriptions.total).toBe(0);
});
