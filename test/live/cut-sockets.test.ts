/** Sockets that end without the closing handshake, or vanish without a word: they are noticed, and all that they followed is let go. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { tokens } from "../support/api-config.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { openRawSocket, type RawSocket } from "../support/raw-socket.ts";
import { openRudeSocket, textFrame } from "../support/rude-socket.ts";
import { waitUntil } from "../support/wait-until.ts";
import { openWire } from "../support/wire.ts";

const socketCount = 50;
/** Of which the second finds out that the first was not answered. */
const pingIntervalMs = 12_000;
const subscriptions = (jobId: string) => [
  `subscription { jobUpdated(id: "${jobId}") { state } }`,
  `subscription { jobEvents(jobId: "${jobId}") { number } }`,
  "subscription { jobsUpdated { state } }",
];

let server: ApiServer;
let healthy: RawSocket;
let jobId: string;
beforeAll(async () => {
  // The pings' clock is the test's own.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  server = await startApiServer();
  jobId = (await newJob(server)).id;
  healthy = await openRawSocket(server.url, { params: { token: tokens.ann } });
  healthy.subscribe("events", `subscription { jobEvents(jobId: "${jobId}") { number } }`);
  await healthy.answer("events");
});
afterAll(async () => {
  healthy.socket.terminate();
  await server.stop();
  vi.useRealTimers();
});

const open = () => {
  const { connections, sockets, subscriptions: streams } = server.running.counts;
  return { connections: connections.open, sockets: sockets.total, streams: streams.total };
};
const followers = () => server.running.followerCount();
/** The healthy one alone, with its one stream, and the connections of the test's own calls. */
async function areGone(connections: number): Promise<void> {
  await waitUntil("the sockets are gone", () => {
    const now = open();
    return now.sockets === 1 && now.streams === 1 && followers() === 1 && now.connections <= connections;
  });
}

let marks = 0;
/** An answer to what was sent last: whatever was sent before has been dealt with. */
async function isAnswered(): Promise<void> {
  marks += 1;
  healthy.subscribe(`mark ${marks}`, "{ viewer { ownerId } }");
  await healthy.answer(`mark ${marks}`);
}
it("fifty sockets that are cut are gone from the counts and the feed at once: by the network, not by a ping", async () => {
  const { connections } = open();
  const sockets = await Promise.all(Array.from({ length: socketCount }, () => openRudeSocket(server.url, "ann")));
  for (const socket of sockets) {
    for (const [id, query] of subscriptions(jobId).entries())
      socket.send(textFrame(JSON.stringify({ id: `${id}`, type: "subscribe", payload: { query } })));
  }
  await waitUntil("all follow", () => followers() === 3 * socketCount + 1);
  expect(open()).toMatchObject({ sockets: socketCount + 1, streams: 3 * socketCount + 1 });
  const cuts = [
    // A reset, the end of what is sent, and both ends at once: none with a frame that says goodbye.
    (index: number) => sockets[index]?.raw.resetAndDestroy(),
    (index: number) => sockets[index]?.raw.end(),
    (index: number) => sockets[index]?.raw.destroy(),
  ];
  for (const index of sockets.keys()) cuts[index % cuts.length]?.(index);
  // No interval passes meanwhile: were it not for the network's word, this would wait in vain.
  await areGone(connections);
  await isAnswered();
  expect(healthy.socket.readyState).toBe(healthy.socket.OPEN);
});

it("sockets that vanish without a word end at the second ping, the others stay", async () => {
  const { connections } = open();
  let isCut = false;
  const wire = await openWire(server.url, ({ client, database }) => {
    client.on("data", (bytes: Buffer) => void (isCut || database.write(bytes)));
    database.on("data", (bytes: Buffer) => void (isCut || client.write(bytes)));
  });
  const url = wire.url.replace(/\/$/, "");
  const vanishing = await Promise.all([1, 2, 3].map(() => openRawSocket(url, { params: { token: tokens.ann } })));
  for (const socket of vanishing) {
    for (const [id, query] of subscriptions(jobId).entries()) socket.subscribe(`${id}`, query);
  }
  await waitUntil("all follow", () => followers() === 3 * vanishing.length + 1);
  isCut = true;
  let pings = 0;
  healthy.socket.on("ping", () => void (pings += 1));
  vi.advanceTimersByTime(pingIntervalMs);
  await waitUntil("the other one is asked", () => pings === 1);
  await isAnswered();
  expect(open().sockets).toBe(vanishing.length + 1);
  vi.advanceTimersByTime(pingIntervalMs);
  await waitUntil("the other one is asked again", () => pings === 2);
  await areGone(connections);
  await isAnswered();
  expect(healthy.socket.readyState).toBe(healthy.socket.OPEN);
  await wire.close();
});
