/**
 * Ten thousand subscriptions that open and end at random on one socket, many with an id that was just in use: what a client is
 * shown first is never older than what it had, and nothing is left behind, in the counts or in memory.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seeded } from "../history/seeded.ts";
import { type Api, connectApi } from "../support/api-client.ts";
import { tokens } from "../support/api-config.ts";
import { type Held, startWorker, type Worker } from "../support/api-worker.ts";
import { type Closing, type Message, openRawSocket, type RawSocket } from "../support/raw-socket.ts";
import { type MeasuredServer, startMeasuredServer } from "../support/start-measured-server.ts";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { waitUntil } from "../support/wait-until.ts";

const seed = 20_261_130;
const rounds = 100;
const perRound = 100;
/** Rounds before memory is compared: code that is compiled, caches that fill. */
const warmUp = 20;
const jobCount = 5;
/** As many are open at most. */
const ids = 40;
/** Far below what a kilobyte for each of them would be. */
const mostGrowth = 4 * 2 ** 20;

let database: TestDatabase;
let server: MeasuredServer;
let ann: Api;
let worker: Worker;
beforeAll(async () => {
  database = await createMigratedDatabase();
  server = await startMeasuredServer(database.url, 2 ** 20);
  ann = connectApi(server.url, "ann");
  worker = startWorker(server.url);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const documents = [
  "subscription ($id: ID!) { jobUpdated(id: $id) { id lastEventNumber } }",
  "subscription ($id: ID!) { jobEvents(jobId: $id) { number } }",
  "subscription ($id: ID!) { attemptUpdated(jobId: $id) { job { id lastEventNumber } } }",
  "subscription { jobsUpdated { id lastEventNumber } }",
] as const;
const judged: readonly string[] = [documents[0], documents[3]];

interface Picture {
  readonly id: string;
  readonly lastEventNumber: number;
}

/** What the client knows of each job, and what it was shown of older. */
function judge(socket: RawSocket) {
  const newest = new Map<string, number>();
  /** By operation: what had been seen of its job when it was asked for. */
  const floors = new Map<string, Map<string, number>>();
  const flashes: string[] = [];
  socket.socket.on("message", (data: Buffer) => {
    const { id = "", type, payload } = JSON.parse(data.toString()) as Message;
    const { data: shown } = (payload ?? {}) as { data?: Record<string, Picture | { job: Picture } | undefined> };
    const picture = shown?.["jobUpdated"] ?? shown?.["jobsUpdated"];
    if (type !== "next" || picture === undefined || !("lastEventNumber" in picture)) return;
    const floor = floors.get(id)?.get(picture.id) ?? 0;
    if (picture.lastEventNumber < floor) flashes.push(`${id}: ${picture.lastEventNumber} after ${floor}`);
    newest.set(picture.id, Math.max(newest.get(picture.id) ?? 0, picture.lastEventNumber));
  });
  return { flashes, asks: (id: string) => void floors.set(id, new Map(newest)) };
}

interface Job {
  readonly id: string;
  readonly held: Held;
}

/** Its attempt is fenced off, so that each further result of it is one event more. */
async function createJob(): Promise<Job> {
  const { job } = await ann.create({ idempotencyKey: randomUUID(), operation: "any", input: 1 });
  const held = await worker.take(job?.id ?? "");
  await connectApi(server.url, "operator").cancelAttempt(held.attempt.id);
  return { id: held.attempt.job.id, held };
}

it("shows nothing old, and leaves no follower, no count and no memory", { timeout: 120_000 }, async () => {
  const chance = seeded(seed);
  const socket = await openRawSocket(server.url, { params: { token: tokens.ann } });
  const { flashes, asks } = judge(socket);
  const jobs: Job[] = [];
  while (jobs.length < jobCount) jobs.push(await createJob());
  let closing: Closing | null = null;
  void socket.closed.then((how) => {
    closing = how;
  });
  const open = new Set<string>();
  // Whether it has ended by itself meanwhile the client cannot know; completing it then is nothing.
  const end = (id: string) => {
    open.delete(id);
    socket.send({ type: "complete", id });
  };
  let begun = 0;
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (let step = 0; step < perRound; step += 1) {
      begun += 1;
      const document = chance.pick(documents) ?? "";
      // Of an id that is used again, frames of before may still be under way; pictures that are compared have their own.
      const id = judged.includes(document) ? `picture ${begun}` : `${chance.below(ids)}`;
      end(id);
      asks(id);
      socket.subscribe(id, document, { id: chance.pick(jobs)?.id });
      open.add(id);
      if (open.size > ids) end(chance.pick([...open]) ?? "");
    }
    await chance.pick(jobs)?.held.complete(round);
    if (round % 10 === 0) {
      // A job that ends takes its pictures along; another takes its place.
      const [over] = jobs.splice(chance.below(jobCount), 1);
      await ann.cancelJob(over?.id ?? "");
      jobs.push(await createJob());
    }
    socket.subscribe(`round ${round}`, "{ viewer { ownerId } }");
    await Promise.race([socket.answer(`round ${round}`), socket.closed]);
    expect(closing).toBe(null);
    (socket.messages as Message[]).splice(0);
    if (round === warmUp) bytes = (await server.measure()).bytes;
  }
  for (const id of open) socket.send({ type: "complete", id });
  await waitUntil("nothing is left", async () => {
    const { followers, subscriptions } = await server.measure();
    return followers + subscriptions === 0;
  });
  expect(begun).toBe(rounds * perRound);
  expect(flashes).toEqual([]);
  expect((await server.measure()).bytes - bytes).toBeLessThan(mostGrowth);
  socket.socket.terminate();
});
