/** WebSockets of clients that break the protocol, flood or fall silent: theirs is closed, with a code, and the others are served as ever. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AbusedServer, startAbusedServer } from "../support/abused-server.ts";
import { newJob } from "../support/api-reach.ts";
import { overSocket, type Streams } from "../support/api-streams.ts";
import { openConnection } from "../support/rude-client.ts";
import { frame, opcodes, openRudeSocket, textFrame } from "../support/rude-socket.ts";

interface Shown {
  readonly id: string;
  readonly state: string;
}

let server: AbusedServer;
let polite: Streams;
beforeAll(async () => {
  server = await startAbusedServer();
  polite = overSocket(server.url, "ann");
});
/** Whoever behaved all along still hears of every change. */
afterEach(async () => {
  const job = await newJob(server);
  const stream = polite.open<Shown>("job-updated", { id: job.id });
  await stream.sees(1);
  await server.ann.cancelJob(job.id);
  await stream.shows("its end", ({ state }) => state === "CANCELLED");
  await server.expectUnharmed();
});
afterAll(async () => {
  polite.close();
  await server.stop();
});

describe("frames", () => {
  it.each([
    ["over the limit, all of it sent", frame(opcodes.text, Buffer.alloc(2_000_000, "x")), 1009],
    ["that claim to be larger than memory", frame(opcodes.text, Buffer.from("x"), { length: 2 ** 40 }), 1009],
    ["that are no UTF-8", frame(opcodes.text, Buffer.from([0xff, 0xfe, 0xc3])), 1007],
    ["without a mask", frame(opcodes.text, Buffer.from('{"type":"ping"}'), { masked: false }), 1002],
    ["of a kind that there is not", frame(3, Buffer.from("x")), 1002],
    ["that continue nothing", frame(0, Buffer.from("x")), 1002],
    ["that are a ping of more than 125 bytes", frame(opcodes.ping, Buffer.alloc(200)), 1002],
    ["that close with half a code", frame(opcodes.close, Buffer.from([0x03])), 1002],
  ])("%s close the socket", async (_what, bytes, code) => {
    const socket = await openRudeSocket(server.url);
    socket.send(bytes);
    expect(await socket.closed()).toBe(code);
  });

  it("in ten thousand fragments that are over the limit together close the socket", async () => {
    const socket = await openRudeSocket(server.url);
    socket.send(frame(opcodes.text, Buffer.alloc(200), { fin: false }));
    for (let index = 0; index < 10_000; index += 1) socket.send(frame(0, Buffer.alloc(200), { fin: false }));
    expect(await socket.closed()).toBe(1009);
  });
});

describe("messages", () => {
  it.each([
    ["that are no JSON", "nonsense"],
    ["that are no object", "[1]"],
    ["of no kind", "{}"],
    ["of a kind that there is not", '{"type":"__proto__"}'],
    ["without an id", '{"type":"subscribe","payload":{"query":"{ viewer { ownerId } }"}}'],
    ["whose query is no text", '{"type":"subscribe","id":"1","payload":{"query":7}}'],
    [
      "whose variables are a list",
      '{"type":"subscribe","id":"1","payload":{"query":"{ viewer { ownerId } }","variables":[]}}',
    ],
    ["nested a hundred thousand deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ])("%s close the socket with a code of the protocol", async (_what, message) => {
    const socket = await openRudeSocket(server.url);
    socket.send(textFrame(message));
    expect(await socket.closed()).toBe(4400);
  });

  it("before connection_init are not served", async () => {
    const socket = await openRudeSocket(server.url, null);
    socket.send(textFrame('{"type":"subscribe","id":"1","payload":{"query":"{ viewer { ownerId } }"}}'));
    expect(await socket.closed()).toBe(4401);
    expect(socket.received()).not.toContain("viewer");
  });

  it("with an id that is taken, or a second connection_init, close the socket", async () => {
    const twice = await openRudeSocket(server.url);
    const job = await newJob(server);
    const query = `subscription { jobUpdated(id: "${job.id}") { id } }`;
    const subscribe = JSON.stringify({ type: "subscribe", id: "__proto__", payload: { query } });
    // As nobody's job it would end at once, and the id would be free again.
    const followers = await openRudeSocket(server.url, "ann");
    for (const socket of [followers, twice])
      for (let times = 0; times < 2; times += 1) socket.send(textFrame(subscribe));
    expect(await followers.closed()).toBe(4409);
    twice.send(textFrame('{"type":"connection_init"}'));
    expect(await twice.closed()).toBeGreaterThanOrEqual(4400);
  });

  it("by the thousand at once are answered, each of them, or refused with a code", async () => {
    const socket = await openRudeSocket(server.url);
    const count = 3_000;
    for (let index = 0; index < count; index += 1) {
      socket.send(
        textFrame(JSON.stringify({ type: "subscribe", id: `${index}`, payload: { query: "{ viewer { ownerId } }" } })),
      );
    }
    // A marker behind them all: operations of one socket may overtake each other, so it only says that they were read.
    socket.send(textFrame('{"type":"ping","payload":{"all":"read"}}'));
    await expect
      .poll(() => socket.received().match(/"type":"(?:complete|error)"/g)?.length, { timeout: 15_000 })
      .toBe(count);
    socket.raw.destroy();
  });

  it("that ping without end are no load on others", async () => {
    const socket = await openRudeSocket(server.url);
    for (let index = 0; index < 20_000; index += 1) socket.send(frame(opcodes.ping, Buffer.from("x")));
    await expect(server.expectUnharmed()).resolves.toBeUndefined();
    socket.raw.destroy();
  });
});

describe("connections", () => {
  it("by the thousand, idle, leave the others served; cut all at once, they leave nothing behind", async () => {
    const idle = await Promise.all(Array.from({ length: 1_500 }, () => openConnection(server.url)));
    await server.expectUnharmed();
    for (const socket of idle) socket.destroy();
    const sockets = await Promise.all(Array.from({ length: 300 }, () => openRudeSocket(server.url)));
    await expect(server.expectUnharmed()).resolves.toBeUndefined();
    for (const socket of sockets) socket.raw.destroy();
  });

  it("that ask for another protocol, path or version get no socket", async () => {
    const ask = async (path: string, ...headers: readonly string[]) => {
      const socket = await openConnection(server.url);
      const answered = new Promise<string>((resolve) =>
        socket.once("data", (chunk: Buffer) => resolve(chunk.toString())),
      );
      socket.write(
        [
          `GET ${path} HTTP/1.1`,
          "Host: localhost",
          "Upgrade: websocket",
          "Connection: Upgrade",
          ...headers,
          "",
          "",
        ].join("\r\n"),
      );
      const [line] = (await answered).split("\r\n");
      socket.destroy();
      return line;
    };
    const key = `Sec-WebSocket-Key: ${Buffer.from(randomUUID()).subarray(0, 16).toString("base64")}`;
    expect(await ask("/elsewhere", key, "Sec-WebSocket-Version: 13")).toMatch(/ 404 /);
    expect(await ask("/graphql", key, "Sec-WebSocket-Version: 7")).toMatch(/ 4\d\d /);
    expect(await ask("/graphql", "Sec-WebSocket-Version: 13")).toMatch(/ 400 /);
    expect(await ask("/graphql", "Sec-WebSocket-Key: short", "Sec-WebSocket-Version: 13")).toMatch(/ 400 /);
  });
});
