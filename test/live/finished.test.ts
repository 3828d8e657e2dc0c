/**
 * A job that is finished by another server before, while and after its streams start here: each shows the newest state, then
 * ends as promised. A wire keeps one of the reads, or its answer, while the job is finished; hints alone bring the news.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeId } from "../../src/store/ids.ts";
import type { AttemptView, EventView, JobView } from "../support/api-answers.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { type Streams, transports } from "../support/api-streams.ts";
import { type HeldWire, openHeldWire } from "../support/held-wire.ts";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { waitUntil } from "../support/wait-until.ts";

let database: TestDatabase;
let wire: HeldWire;
let here: ApiServer;
let elsewhere: ApiServer;
let clients: Streams[];
beforeAll(async () => {
  database = await createMigratedDatabase();
  wire = await openHeldWire(database.url);
  here = await startApiServer({ databaseUrl: wire.url, runtime: { feedPollMs: 600_000 } });
  elsewhere = await startApiServer({ databaseUrl: database.url });
  clients = transports.map(([, connect]) => connect(here.url, "ann"));
});
afterAll(async () => {
  for (const client of clients) client.close();
  await here.stop();
  await elsewhere.stop();
  await wire.close();
  await database.drop();
});

/** A job that a worker has, through the other server; this one has been told of both. */
async function startJob() {
  const input = { idempotencyKey: randomUUID(), operation: "print", input: { text: "Menu" } };
  const { job } = await elsewhere.ann.create(input);
  if (job === undefined) throw new Error("createJob was refused.");
  const held = await elsewhere.worker.take(job.id);
  const rowId = decodeId("job", job.id) ?? "";
  await wire.tells(rowId, 2);
  return { id: job.id, rowId, held };
}

function follow(id: string) {
  return clients.map((client) => ({
    job: client.open<JobView>("job-updated", { id }),
    attempts: client.open<AttemptView>("attempt-updated", { jobId: id }),
    events: client.open<EventView>("job-events", { jobId: id }),
  }));
}
type Followed = ReturnType<typeof follow>;

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** `mostFrames`: of a picture, from when the streams were asked for. */
async function expectTheEnd(followed: Followed, late: () => Promise<unknown>, mostFrames: number): Promise<void> {
  for (const { job, attempts, events } of followed) {
    await Promise.all([job.ends(), attempts.ends(), events.sees(5)]);
    for (const stream of [job, attempts, events]) expect(stream.errors).toEqual([]);
    const numbers = job.seen.map((seen) => seen.lastEventNumber);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    expect(job.seen.at(-1)).toMatchObject({ state: "SUCCEEDED", result: { pages: 1 }, lastEventNumber: 5 });
    expect(attempts.seen.at(-1)?.state).toBe("SUCCEEDED");
    expect(new Set(attempts.seen.map(({ state }) => state)).size).toBe(attempts.seen.length);
    expect(Math.max(job.seen.length, attempts.seen.length)).toBeLessThanOrEqual(mostFrames);
    expect(events.ended).toBe(false);
  }
  // The log goes on after the end, and nothing is still on its way.
  await late();
  for (const { events } of followed) {
    await events.sees(6);
    expect(events.seen.map(({ number }) => number)).toEqual(upTo(6));
    events.stop();
  }
  await waitUntil("nobody follows", () => here.running.followerCount() === 0);
  expect(here.running.counts.subscriptions.total).toBe(0);
}

const reads = {
  "of whether it may be followed": (statement: string) => statement.includes("join jobs j on j.id = w.job_id"),
  "of its events": (statement: string) => statement.includes("from job_events e where"),
  "of the job": (statement: string) => statement.includes("from jobs where id = any"),
  "of its attempts": (statement: string) => statement.includes("from attempts where job_id = any"),
} as const;

describe.each(Object.entries(reads))("finished at the reading %s", (name, fits) => {
  it.each([
    ["before it reads", "statements"],
    ["between its reading and its answer", "answers"],
  ] as const)("%s: the newest state comes, then the end, and every event once", async (_when, what) => {
    const { id, rowId, held } = await startJob();
    const reading = wire.hold(what, fits);
    const followed = follow(id);
    await reading.caught();
    await held.complete({ pages: 1 });
    await wire.tells(rowId, 3);
    reading.release();
    // Before anything of it is shown, there is nothing older to show.
    const mostFrames = name === "of whether it may be followed" ? 1 : 2;
    await expectTheEnd(followed, () => held.complete({ pages: 2 }), mostFrames);
  });
});

it("finished before: the first frame is the last, and the log is whole", async () => {
  const { id, rowId, held } = await startJob();
  await held.complete({ pages: 1 });
  await wire.tells(rowId, 3);
  await expectTheEnd(follow(id), () => held.complete({ pages: 2 }), 1);
});

it("finished after the first frames: one more of each, then the end", async () => {
  const { id, held } = await startJob();
  const followed = follow(id);
  for (const { job, attempts, events } of followed) await Promise.all([job.sees(1), attempts.sees(1), events.sees(3)]);
  await held.complete({ pages: 1 });
  await expectTheEnd(followed, () => held.complete({ pages: 2 }), 2);
  for (const { job, attempts } of followed) expect([job.seen.length, attempts.seen.length]).toEqual([2, 2]);
});
