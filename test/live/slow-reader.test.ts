/**
 * Clients that stop reading while a job of theirs gets thousands of events: the server does not keep for them what they leave
 * unread, others do not wait for them, and they are given the rest. Memory is measured in a process that holds the server alone.
 */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { decodeId } from "../../src/store/ids.ts";
import { connectApi } from "../support/api-client.ts";
import { tokens } from "../support/api-config.ts";
import { overSocket, overSse, type Stream } from "../support/api-streams.ts";
import { openRawSocket, type RawSocket } from "../support/raw-socket.ts";
import { type MeasuredServer, startMeasuredServer } from "../support/start-measured-server.ts";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { waitUntil } from "../support/wait-until.ts";

const events = 6_000;
const eventBytes = 4_096;
/** The least that there may be. */
const answerBytes = 2 ** 20;
const mostGrowth = 20 * 2 ** 20;
const patienceMs = 60_000;
const document = "subscription ($id: ID!, $after: Int!) { jobEvents(jobId: $id, after: $after) { number detail } }";
const whole = Array.from({ length: events }, (_, index) => index + 1);

/** The same with so many times as much in each event. */
const copies = 16;
const named = Array.from({ length: copies }, (_, index) => `detail${index}: detail`).join(" ");
const wideDocument = document.replace("detail", named);

interface EventSeen {
  readonly number: number;
}

let database: TestDatabase;
let sql: postgres.Sql;
let server: MeasuredServer;
let jobId: string;
beforeAll(async () => {
  database = await createMigratedDatabase();
  sql = postgres(database.url, { max: 1 });
  server = await startMeasuredServer(database.url, answerBytes);
  const { job } = await connectApi(server.url, "ann").create({ idempotencyKey: "k", operation: "any", input: 1 });
  jobId = job?.id ?? "";
});
afterAll(async () => {
  await server.stop();
  await sql.end();
  await database.drop();
});

/** As another server would write them, in commits of some hundreds, each with its notification. */
async function writeEvents(): Promise<void> {
  const id = decodeId("job", jobId) ?? "";
  const detail = { text: "x".repeat(eventBytes) };
  for (let last = 2; last < events; ) {
    const from = last + 1;
    last = Math.min(events, last + 400);
    const to = last;
    await sql.begin(async (session) => {
      await session`update jobs set event_count = ${to} where id = ${id}`;
      await session`
        insert into job_events (job_id, number, type, job_state, cause, detail, at)
        select ${id}, number, 'FAILOVER_REFUSED', 'QUEUED', 'POLICY', ${session.json(detail)}, clock_timestamp()
        from generate_series(${from}::int, ${to}::int) number`;
      await session`select pg_notify('onejob_changed', ${`elsewhere:${id}`})`;
    });
  }
}

const numbersOf = (stream: Stream<EventSeen>) => stream.seen.map(({ number }) => number);

async function hasAll(stream: Stream<EventSeen>, count: number): Promise<void> {
  await waitUntil(`${count} have come`, () => stream.seen.length >= count, patienceMs);
  expect(stream.errors).toEqual([]);
}

function socketNumbers({ messages }: RawSocket, id: string): number[] {
  return messages.flatMap((message) =>
    message.id === id && message.type === "next"
      ? [(message.payload as { data: { jobEvents: EventSeen } }).data.jobEvents.number]
      : [],
  );
}

/** Server-Sent Events whose bytes stay where they are until somebody reads them. */
async function openUnreadSse(): Promise<IncomingMessage> {
  const headers = {
    authorization: `Bearer ${tokens.ann}`,
    "content-type": "application/json",
    accept: "text/event-stream",
  };
  const asking = request(`${server.url}/graphql`, { method: "POST", headers, agent: false });
  asking.end(JSON.stringify({ query: document, variables: { id: jobId, after: 0 } }));
  const [response] = (await once(asking, "response")) as [IncomingMessage];
  return response;
}

async function readSse(response: IncomingMessage, last: number): Promise<number[]> {
  const numbers: number[] = [];
  let text = "";
  for await (const chunk of response) {
    const lines = (text + String(chunk)).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const number = /^data: \{"data":\{"jobEvents":\{"number":(\d+)/.exec(line)?.[1];
      if (number !== undefined) numbers.push(Number(number));
    }
    if (numbers.at(-1) === last) break;
  }
  return numbers;
}

it("who does not read costs the server no memory and the others no time, and has the rest on reading on, or on coming back", {
  timeout: 4 * patienceMs,
}, async () => {
  const followers = [overSocket(server.url, "ann"), overSse(server.url, "ann")];
  const fast = followers.map((client) => client.open<EventSeen>(document, { id: jobId, after: 0 }));
  const slow = await Promise.all([1, 2].map(() => openRawSocket(server.url, { params: { token: tokens.ann } })));
  for (const socket of slow) {
    socket.subscribe("1", document, { id: jobId, after: 0 });
    await waitUntil("it has begun", () => socketNumbers(socket, "1").length === 2);
    socket.socket.pause();
  }
  const unread = [await openUnreadSse(), await openUnreadSse()];
  for (const stream of fast) await stream.sees(2);
  const before = await server.measure();
  expect(before).toMatchObject({ followers: 6, subscriptions: 6, sockets: 3 });

  await writeEvents();
  for (const stream of fast) {
    await hasAll(stream, events);
    expect(numbersOf(stream)).toEqual(whole);
  }
  const after = await server.measure();
  expect(after).toMatchObject({ followers: 6, subscriptions: 6, sockets: 3 });
  expect(after.bytes - before.bytes).toBeLessThan(mostGrowth);

  const [readingOn, comingBack] = slow as [RawSocket, RawSocket];
  const [sseReadingOn, sseComingBack] = unread as [IncomingMessage, IncomingMessage];
  readingOn.socket.resume();
  await waitUntil("the slow one has all", () => socketNumbers(readingOn, "1").length >= events, patienceMs);
  expect(socketNumbers(readingOn, "1")).toEqual(whole);
  expect(await readSse(sseReadingOn, events)).toEqual(whole);

  comingBack.socket.terminate();
  sseComingBack.destroy();
  for (const client of followers) {
    const rest = client.open<EventSeen>(document, { id: jobId, after: 2 });
    await hasAll(rest, events - 2);
    expect(numbersOf(rest)).toEqual(whole.slice(2));
  }
  for (const { socket } of slow) socket.terminate();
  for (const client of followers) client.close();
  await waitUntil("nothing is left", async () => {
    const { followers: left, subscriptions, sockets } = await server.measure();
    return left + subscriptions + sockets === 0;
  });
});

it("a socket with more unread than twice answerBytes is cut, and its client has the rest on coming back", {
  timeout: 2 * patienceMs,
}, async () => {
  const many = await openRawSocket(server.url, { params: { token: tokens.ann } });
  const ids = Array.from({ length: Math.ceil((3 * answerBytes) / (copies * eventBytes)) }, (_, index) => `${index}`);
  // None of what they bring is read, so that each has a message of its own unread in the end.
  many.socket.pause();
  for (const id of ids) many.subscribe(id, wideDocument, { id: jobId, after: 0 });
  await waitUntil("it has been cut", async () => (await server.measure()).followers === 0, patienceMs);
  many.socket.resume();
  expect((await many.closed).code).toBe(1006);
  const client = overSocket(server.url, "ann");
  for (const id of ids.slice(0, 2)) {
    const had = socketNumbers(many, id);
    expect(had).toEqual(whole.slice(0, had.length));
    const rest = client.open<EventSeen>(document, { id: jobId, after: had.length });
    await hasAll(rest, events - had.length);
    expect(numbersOf(rest)).toEqual(whole.slice(had.length));
  }
  client.close();
});
