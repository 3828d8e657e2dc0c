/** Many subscriptions on one socket: none disturbs another by its fault, its end or its id, and none leaves anything behind. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { tokens } from "../support/api-config.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { type HeldWire, openHeldWire } from "../support/held-wire.ts";
import { openRawSocket, type RawSocket } from "../support/raw-socket.ts";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { waitUntil } from "../support/wait-until.ts";

let database: TestDatabase;
let wire: HeldWire;
let server: ApiServer;
beforeAll(async () => {
  database = await createMigratedDatabase();
  wire = await openHeldWire(database.url);
  server = await startApiServer({ databaseUrl: wire.url, runtime: { feedPollMs: 600_000 } });
});
afterAll(async () => {
  await server.stop();
  await wire.close();
  await database.drop();
});

const sockets: RawSocket[] = [];
async function openSocket(): Promise<RawSocket> {
  const socket = await openRawSocket(server.url, { params: { token: tokens.ann } });
  sockets.push(socket);
  return socket;
}
const open = () => server.running.counts.subscriptions.total;
afterEach(async () => {
  for (const { socket } of sockets.splice(0)) socket.terminate();
  await waitUntil("nothing is left", () => open() === 0 && server.running.followerCount() === 0);
});

const events = "subscription ($id: ID!) { jobEvents(jobId: $id) { number } }";
const picture = "subscription ($id: ID!) { jobUpdated(id: $id) { lastEventNumber state } }";

const messagesOf = (socket: RawSocket, id: string) => socket.messages.filter((message) => message.id === id);
function numbersOf(socket: RawSocket, id: string): number[] {
  return messagesOf(socket, id).flatMap(({ payload }) => {
    const { data } = (payload ?? {}) as { data?: { jobEvents?: { number: number } } };
    return data?.jobEvents === undefined ? [] : [data.jobEvents.number];
  });
}
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

async function isAnswered(socket: RawSocket): Promise<void> {
  const id = `marker ${socket.messages.length}`;
  socket.subscribe(id, "{ viewer { ownerId } }");
  await socket.answer(id);
}

describe("an id that the client has completed and uses again at once, as the protocol allows", () => {
  it("stands for the new subscription alone where the old one was under way", async () => {
    const { id: jobId } = await newJob(server);
    const socket = await openSocket();
    socket.subscribe("1", events, { id: jobId });
    await waitUntil("it has begun", () => numbersOf(socket, "1").length === 2);
    const before = messagesOf(socket, "1").length;
    socket.send({ type: "complete", id: "1" });
    socket.subscribe("1", events, { id: jobId });
    await waitUntil("it has begun anew", () => messagesOf(socket, "1").length >= before + 2);
    await server.ann.cancelJob(jobId);
    await waitUntil("it goes on", () => messagesOf(socket, "1").length >= before + 4);
    await isAnswered(socket);
    const anew = messagesOf(socket, "1").slice(before);
    expect(anew.map(({ type }) => type)).toEqual(["next", "next", "next", "next"]);
    expect(numbersOf(socket, "1").slice(before)).toEqual(upTo(4));
    expect(open()).toBe(1);
    socket.send({ type: "complete", id: "1" });
    await waitUntil("it is over", () => open() === 0);
  });

  it("stands for the new subscription alone where the old one had not begun, however often that is done", async () => {
    const { id: jobId } = await newJob(server);
    const socket = await openSocket();
    const starts = wire.hold("statements", (statement) => statement.includes("join jobs"));
    // Mounted, unmounted and mounted again, as React's StrictMode does; and once more.
    for (let time = 0; time < 3; time += 1) {
      if (time > 0) socket.send({ type: "complete", id: "1" });
      socket.subscribe("1", events, { id: jobId });
    }
    await starts.caught();
    await isAnswered(socket);
    starts.release();
    await waitUntil("it has begun", () => numbersOf(socket, "1").length >= 2);
    await server.ann.cancelJob(jobId);
    await waitUntil("it goes on", () => numbersOf(socket, "1").length >= 4);
    await isAnswered(socket);
    expect(messagesOf(socket, "1").map(({ type }) => type)).toEqual(["next", "next", "next", "next"]);
    expect(numbersOf(socket, "1")).toEqual(upTo(4));
    expect([open(), server.running.followerCount()]).toEqual([1, 1]);
  });

  it("stands for nothing where the last word was to complete it", async () => {
    const { id: jobId } = await newJob(server);
    const socket = await openSocket();
    const starts = wire.hold("statements", (statement) => statement.includes("join jobs"));
    for (let time = 0; time < 3; time += 1) {
      socket.subscribe("1", events, { id: jobId });
      socket.send({ type: "complete", id: "1" });
    }
    await starts.caught();
    await isAnswered(socket);
    starts.release();
    await waitUntil("it is over", () => open() === 0);
    await isAnswered(socket);
    expect(messagesOf(socket, "1")).toEqual([]);
  });

  it("is still refused with 4409 where it was not completed", async () => {
    const { id: jobId } = await newJob(server);
    const socket = await openSocket();
    const starts = wire.hold("statements", (statement) => statement.includes("join jobs"));
    socket.subscribe("1", events, { id: jobId });
    socket.send({ type: "complete", id: "1" });
    socket.subscribe("1", events, { id: jobId });
    socket.subscribe("1", events, { id: jobId });
    expect((await socket.closed).code).toBe(4409);
    starts.release();
  });
});

it("ten subscriptions of one job on a socket are each shown everything once (faults 15)", async () => {
  const { id: jobId } = await newJob(server);
  const socket = await openSocket();
  const ids = Array.from({ length: 10 }, (_, index) => `${index}`);
  for (const id of ids) {
    socket.subscribe(`events ${id}`, events, { id: jobId });
    socket.subscribe(`picture ${id}`, picture, { id: jobId });
  }
  for (const id of ids) await waitUntil("it has begun", () => numbersOf(socket, `events ${id}`).length === 2);
  for (const id of ids) await socket.answer(`picture ${id}`);
  await server.ann.cancelJob(jobId);
  for (const id of ids) {
    await waitUntil("its picture is the last", () => messagesOf(socket, `picture ${id}`).at(-1)?.type === "complete");
    await waitUntil("all has come", () => numbersOf(socket, `events ${id}`).length >= 4);
  }
  await isAnswered(socket);
  for (const id of ids) {
    expect(numbersOf(socket, `events ${id}`)).toEqual(upTo(4));
    const shown = messagesOf(socket, `picture ${id}`).flatMap(({ payload }) =>
      payload === undefined ? [] : [payload],
    );
    expect(shown).toEqual(
      [2, 4].map((lastEventNumber) => ({
        data: { jobUpdated: { lastEventNumber, state: lastEventNumber === 2 ? "QUEUED" : "CANCELLED" } },
      })),
    );
  }
  expect(server.running.followerCount()).toBe(ids.length);
});
