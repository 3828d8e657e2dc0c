/** How many subscriptions a connection and an owner may have: the last fits, one more is refused alone, and every end makes room again. */
import type postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { apiConfig, tokens } from "../support/api-config.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { overSocket, type Stream, type Streams, transports } from "../support/api-streams.ts";
import { codesIn, openRawSocket } from "../support/raw-socket.ts";
import { waitUntil } from "../support/wait-until.ts";

const perConnection = 2;
const perOwner = 3;
const limits = { subscriptionsPerConnection: perConnection, subscriptionsPerOwner: perOwner };

let server: ApiServer;
let jobId: string;
beforeAll(async () => {
  server = await startApiServer({ config: { ...apiConfig, limits } });
  jobId = (await newJob(server)).id;
}, 120_000);
afterAll(() => server.stop());

const clients: Streams[] = [];
const connect = (over: typeof overSocket, caller: keyof typeof tokens = "ann"): Streams => {
  const client = over(server.url, caller);
  clients.push(client);
  return client;
};
const open = () => server.running.counts.subscriptions.total;
const allEnded = () => waitUntil("no subscription is open", () => open() === 0);
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await allEnded();
});

const follow = (client: Streams): Stream<{ id: string }> => client.open("job-updated", { id: jobId });

async function begins(stream: Stream<{ id: string }>): Promise<void> {
  await stream.sees(1);
  expect(stream.errors).toEqual([]);
}

async function isRefused(stream: Stream<{ id: string }>, whose: string): Promise<void> {
  await stream.ends();
  expect(stream.errors).toEqual([{ code: "SUBSCRIPTION_LIMIT_EXCEEDED", message: expect.stringContaining(whose) }]);
}

it("a connection has as many as it may, and one more is refused while the others and the socket go on", async () => {
  const client = connect(overSocket);
  const [first, second] = [follow(client), follow(client)];
  await begins(first);
  await begins(second);
  await isRefused(follow(client), "2 subscriptions open on this connection");
  first.stop();
  await waitUntil("one has ended", () => open() === 1);
  await begins(follow(client));
  expect(second.ended).toBe(false);
});

describe.each(transports)("over %s", (_name, over) => {
  async function fill(): Promise<{ streams: Stream<{ id: string }>[]; clients: Streams[] }> {
    const own = Array.from({ length: perOwner }, () => connect(over));
    const streams = own.map(follow);
    for (const stream of streams) await begins(stream);
    return { streams, clients: own };
  }

  it("an owner has as many as may be, over all connections, transports and tokens; another owner has their own", async () => {
    await fill();
    for (const [, other] of transports)
      await isRefused(follow(connect(other, "annAtHome")), "3 subscriptions open for this owner");
    const bobs = connect(over, "bob").open("jobs-updated", {});
    await waitUntil("the other owner's is open", () => open() === perOwner + 1);
    expect(bobs.errors).toEqual([]);
  });

  it.each([
    ["the client completes it", (stream: Stream<unknown>) => stream.stop()],
    ["the client closes the connection", (_stream: Stream<unknown>, client: Streams) => client.close()],
  ])("there is room again when %s", async (_how, end) => {
    const { streams, clients: own } = await fill();
    await isRefused(follow(connect(over)), "for this owner");
    const [stream, client] = [streams[0], own[0]];
    if (stream === undefined || client === undefined) throw new Error("none to end");
    end(stream, client);
    await waitUntil("one has ended", () => open() === perOwner - 1);
    await begins(follow(connect(over)));
    await isRefused(follow(connect(over)), "for this owner");
    expect(open()).toBe(perOwner);
  });

  it("one that does not begin takes no room", async () => {
    for (let time = 0; time <= perOwner; time += 1) {
      const ahead = connect(over).open("job-events", { jobId, after: 1_000 });
      await ahead.ends();
      expect(ahead.errors).toMatchObject([{ code: "CURSOR_AHEAD" }]);
      const unknown = connect(over).open("job-updated", { id: "job_00000000000000000000000000" });
      await unknown.ends();
      expect(unknown.errors).toMatchObject([{ code: "NOT_FOUND" }]);
    }
    expect(open()).toBe(0);
  });

  it("a client that has gone before the first answer leaves nothing behind", async () => {
    let letGo = (): void => {};
    const released = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let isHeld = false;
    const holding = server.sql.begin(async (session: postgres.TransactionSql) => {
      await session`lock table jobs in access exclusive mode`;
      isHeld = true;
      await released;
    });
    await waitUntil("the table is held", () => isHeld);
    const { connections } = server.running.counts;
    const others = connections.open;
    const client = connect(over);
    follow(client);
    await waitUntil("the subscription is about to begin", () => open() === 1);
    client.close();
    await waitUntil("its connection has gone", () => connections.open <= others);
    letGo();
    await holding;
    await allEnded();
    expect(server.running.counts.sockets.total).toBe(0);
  });
});

it("a socket that is cut takes all of its subscriptions along", async () => {
  const rude = await openRawSocket(server.url, { params: { token: tokens.ann } });
  for (const id of ["1", "2", "3"]) rude.subscribe(id, "subscription { jobsUpdated { id } }");
  expect(codesIn(await rude.answer("3"))).toEqual(["SUBSCRIPTION_LIMIT_EXCEEDED"]);
  expect(open()).toBe(2);
  rude.socket.terminate();
  await allEnded();
  await begins(follow(connect(overSocket)));
});

it("a server that stops has none left", async () => {
  const short = await startApiServer({ databaseUrl: server.databaseUrl });
  const streams = transports.map(([, over]) => over(short.url, "ann"));
  for (const client of streams) client.open("job-updated", { id: jobId });
  const { subscriptions } = short.running.counts;
  await waitUntil("both are open", () => subscriptions.total === 2);
  await short.stop();
  await waitUntil("both have ended", () => subscriptions.total === 0);
  for (const client of streams) client.close();
  expect(subscriptions.total).toBe(0);
});
