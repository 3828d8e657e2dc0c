/**
 * A listening connection that is half-open: nothing comes, nobody says that it has ended. The heartbeat finds out, another one
 * is opened, the old one is gone for good; what the poll covers meanwhile is complete, and lists say that they are not.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { newJob } from "../support/api-reach.ts";
import type { ApiServer } from "../support/api-server.ts";
import type { CapturedLog } from "../support/capture-log.ts";
import { openSilentWire, type SilentWire } from "../support/silent-wire.ts";
import { waitUntil } from "../support/wait-until.ts";
import { openAudience } from "./database-audience.ts";
import { type Fleet, makeHistory, openFleet, patienceMs } from "./database-servers.ts";

const heartbeatMs = 200;
const both = { toDatabase: true, toClient: true };

let fleet: Fleet;
let writer: ApiServer;
let wire: SilentWire;
beforeAll(async () => {
  fleet = await openFleet();
  writer = await fleet.start();
});
afterAll(() => fleet.stop());
beforeEach(async () => {
  wire = await openSilentWire(fleet.url);
});
afterEach(() => wire.close());

/** A server that listens by way of the wire. */
const startBehindWire = (more: { feedPollMs?: number } = {}) =>
  fleet.start({ listenUrl: wire.url, heartbeatMs, ...more });

/** The processes that listen for servers other than the writer, whose own was there first. */
async function listenersBehindWire(): Promise<number[]> {
  const rows = await fleet.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name like 'onejob listen%'
    order by backend_start offset 1`;
  return rows.map((row) => row.pid);
}

/** What the writer commits from now on reaches the server's clients by hints alone. */
async function expectHints(server: ApiServer): Promise<void> {
  const audience = await openAudience(server);
  const job = await newJob(writer);
  audience.follow(job.id);
  await audience.endsWithTruth();
  await writer.ann.cancelJob(job.id);
  await audience.endsWithTruth();
  await audience.leave();
}

test.each([
  ["in both directions", both],
  ["towards the server", { toDatabase: false, toClient: true }],
])(
  "silent %s: the server finds out, listens by another connection, and ends the old one at both ends",
  async (_how, silence) => {
    const server = await startBehindWire();
    const [before] = await listenersBehindWire();
    const audience = await openAudience(server);
    wire.silence(silence, false);
    for (const job of await makeHistory(writer, 3)) audience.follow(job.id);
    await waitUntil("the server listens by another connection alone", async () => {
      const now = await listenersBehindWire();
      return now.length === 1 && now[0] !== before;
    });
    expect(wire.open).toBe(1);
    await audience.endsWithTruth();
    expect(audience.resyncs).toBeGreaterThanOrEqual(1);
    await audience.leave();
    await expectHints(server);
    expect(server.said.text()).toContain("has fallen silent");
    await server.stop();
  },
  patienceMs,
);

test(
  "silent towards the database alone: what is committed still comes, and nothing is opened anew",
  async () => {
    const server = await startBehindWire();
    const [before] = await listenersBehindWire();
    const audience = await openAudience(server);
    wire.silence({ toDatabase: true, toClient: false }, false);
    for (const job of await makeHistory(writer, 3)) audience.follow(job.id);
    await audience.endsWithTruth();
    expect(await listenersBehindWire()).toEqual([before]);
    await audience.leave();
    await server.stop();
  },
  patienceMs,
);

test(
  "while every new connection stays silent too there is never more than one, and clients have the truth without it",
  async () => {
    const server = await startBehindWire({ feedPollMs: 50 });
    const audience = await openAudience(server);
    wire.silence(both, true);
    const { made } = wire;
    for (const job of await makeHistory(writer, 3)) audience.follow(job.id);
    await waitUntil("several more were tried, one at a time", () => {
      expect(wire.open).toBeLessThanOrEqual(1);
      return wire.made >= made + 3;
    });
    await audience.endsWithTruth();
    for (const job of await makeHistory(writer, 2)) audience.follow(job.id);
    await audience.endsWithTruth();
    wire.heal();
    await waitUntil("it listens again", async () => (await listenersBehindWire()).length === 1);
    await audience.endsWithTruth();
    await audience.leave();
    await expectHints(server);
    await server.stop();
  },
  patienceMs,
);

test.each([
  ["from its beginning", (silent: SilentWire) => silent.silence(both, true)],
  ["once it has begun to listen", (silent: SilentWire) => silent.silenceUpon("onejob_queued")],
])(
  "silent %s at the start: the server serves, says what is wrong, and hears once it can",
  async (_when, makeSilent) => {
    makeSilent(wire);
    const server: ApiServer & { readonly said: CapturedLog } = await startBehindWire({ feedPollMs: 50 });
    expect(server.said.text()).toContain("database-connection-lost");
    const audience = await openAudience(server);
    for (const job of await makeHistory(writer, 3)) audience.follow(job.id);
    await audience.endsWithTruth();
    await audience.leave();
    wire.heal();
    await waitUntil("it listens", async () => (await listenersBehindWire()).length === 1);
    await server.stop();
  },
  patienceMs,
);

test(
  "a server may stop while its listening connection is silent, or is being opened in vain",
  async () => {
    const [silent, opening] = [await startBehindWire(), await startBehindWire()];
    wire.silence(both, true);
    await silent.stop();
    await waitUntil("the other has found out, and tries again", () => opening.said.text().includes("did not answer"));
    await opening.stop();
    expect(wire.open).toBe(0);
  },
  patienceMs,
);
