/**
 * What happens to a whole PostgreSQL: it is restarted under several servers with subscribers and writers, or its notification
 * queue is full since somebody listens inside a long transaction. Clients keep their sockets, and end with the truth.
 */
import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { encodeId } from "../../src/store/ids.ts";
import { newJob } from "../support/api-reach.ts";
import type { ApiServer } from "../support/api-server.ts";
import { type OwnPostgres, startOwnPostgres } from "../support/own-postgres.ts";
import { waitUntil } from "../support/wait-until.ts";
import { type Audience, openAudience } from "./database-audience.ts";
import { type Fleet, makeHistory, openFleet, patienceMs } from "./database-servers.ts";

let own: OwnPostgres;
let fleet: Fleet;
let servers: ApiServer[];
beforeAll(async () => {
  // The least that PostgreSQL allows: 64 pages of 8 kB.
  own = await startOwnPostgres({ max_notify_queue_pages: "64" });
}, patienceMs);
afterAll(() => own.remove(), patienceMs);
beforeEach(async () => {
  fleet = await openFleet(own.url);
  const options = { feedPollMs: 100, heartbeatMs: 250 };
  servers = [await fleet.start(options), await fleet.start(options)];
}, patienceMs);
afterEach(() => fleet.stop(), patienceMs);

/** Creates jobs one after the other, each repeated with its key until it is answered; says which were. */
function keepWriting(server: ApiServer) {
  const acknowledged: string[] = [];
  let isOver = false;
  const written = (async () => {
    while (!isOver) {
      const idempotencyKey = randomUUID();
      const create = () => server.ann.create({ idempotencyKey, operation: "print", input: { text: "Menu" } });
      const { job } = await waitUntil("a job is created", () => create().catch(() => null), 60_000);
      if (job === undefined) throw new Error("createJob was refused.");
      acknowledged.push(job.id);
      await waitUntil("it is cancelled", () => server.ann.cancelJob(job.id).catch(() => null), 60_000);
    }
  })();
  return {
    acknowledged,
    async stop() {
      isOver = true;
      await written;
    },
  };
}

test.each(["fast", "immediate"] as const)(
  "a restart (%s) under writers and subscribers: nothing acknowledged is lost, no stream ends or has a gap",
  async (mode) => {
    const audiences = await Promise.all(servers.map((server) => openAudience(server)));
    for (const job of await makeHistory(servers[0]!, 3)) for (const audience of audiences) audience.follow(job.id);
    const writers = servers.map((server) => keepWriting(server));
    const written = () => Math.min(...writers.map((writer) => writer.acknowledged.length));
    await waitUntil("both have written", () => written() >= 2);
    const begun = writers.flatMap(({ acknowledged }) =>
      acknowledged.map((id) => audiences.map((one) => one.follow(id))),
    );
    for (const events of begun.flat()) await events.sees(2);
    await own.stop(mode);
    await own.start();
    const before = written();
    await waitUntil("both write again", () => written() >= before + 2, 60_000);
    await Promise.all(writers.map((writer) => writer.stop()));
    const acknowledged = writers.flatMap((writer) => writer.acknowledged);
    const rows = await fleet.sql<{ id: string }[]>`select id from jobs`;
    const kept = new Set(rows.map((row) => encodeId("job", row.id)));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    await waitUntil("both servers listen again", async () => (await fleet.listeners()).length === 2);
    for (const audience of audiences) {
      await audience.endsWithTruth();
      expect(audience.resyncs).toBeGreaterThanOrEqual(1);
      await audience.leave();
    }
  },
  patienceMs,
);

/** Listens, and then reads nothing: a long transaction. What is notified from now on stays in the queue. */
async function listenInLongTransaction() {
  const session = postgres(own.url, { max: 1, onnotice: () => {} });
  const reserved = await session.reserve();
  await reserved`listen anything`;
  await reserved`begin`;
  return {
    async end() {
      await reserved`commit`;
      reserved.release();
      await session.end({ timeout: 5 });
    },
  };
}

/** Fills the queue to its end: PostgreSQL refuses the last ones. */
async function fillQueue(): Promise<void> {
  const fill = () => fleet.sql`select pg_notify('filler', repeat('x', 7900) || n) from generate_series(1, 10) n`;
  const isFull = () =>
    fill().then(
      () => false,
      (error: unknown) => (error as { code?: string }).code === "54000",
    );
  await waitUntil("the queue is full", isFull, 60_000);
}

test(
  "with the notification queue full commits go on, streams are complete, lists say they are not, and all is well afterwards",
  async () => {
    const [server, other] = servers as [ApiServer, ApiServer];
    const audience: Audience = await openAudience(server);
    const long = await listenInLongTransaction();
    await fillQueue();
    for (const job of await makeHistory(other, 4)) audience.follow(job.id);
    await audience.endsWithTruth();
    await makeHistory(other, 4);
    await audience.endsWithTruth();
    expect(audience.resyncs).toBeGreaterThanOrEqual(1);
    await long.end();
    await waitUntil("there is room in the queue again", async () => {
      return fleet.sql`select pg_notify('filler', 'room?')`.then(
        () => true,
        () => false,
      );
    });
    await audience.leave();

    // A list alone lives by hints: it sees a change of the other server's, and is not told of a gap.
    await waitUntil("hints come again", async () => {
      const quiet = await openAudience(server);
      const job = await newJob(other);
      await quiet.lists("the job", ({ id }) => id === job.id);
      const { resyncs } = quiet;
      await quiet.leave();
      return resyncs === 0;
    });
  },
  patienceMs,
);
