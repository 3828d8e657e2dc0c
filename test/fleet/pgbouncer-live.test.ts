/** Two servers behind PgBouncer in transaction mode: whatever holds without it. PgBouncer has to be installed. */
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createLog } from "../../src/server/log.ts";
import type { EventView, JobView } from "../support/api-answers.ts";
import type { Api } from "../support/api-client.ts";
import { apiConfig } from "../support/api-config.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { overSocket } from "../support/api-streams.ts";
import { holding } from "../support/api-worker.ts";
import { checkInvariants } from "../support/check-invariants.ts";
import { type Pooler, startPooler } from "../support/pgbouncer.ts";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { waitUntil } from "../support/wait-until.ts";

let pooler: Pooler;
let database: TestDatabase;
let sql: postgres.Sql;
let servers: ApiServer[] = [];

/** Nothing is found by looking: what comes in time was told. */
const neverLooking = { sweepMs: 600_000, claimPollMs: 600_000, feedPollMs: 600_000 };

beforeAll(async () => {
  database = await createMigratedDatabase();
  pooler = await startPooler(inject("postgresUrl"));
  sql = postgres(database.url, { max: 1, onnotice: () => {} });
  for (const wait of ["lock_timeout = '5s'", "statement_timeout = '30s'"])
    await sql.unsafe(`alter role current_user in database ${new URL(database.url).pathname.slice(1)} set ${wait}`);
  const config = { ...apiConfig, directDatabaseUrl: database.url };
  // A pooler that dies is an error in the log, and a test of it is not the place to read it.
  const log = createLog({ level: "error", format: "json", write: () => {} });
  const databaseUrl = pooler.through(database.url);
  const start = () => startApiServer({ config, databaseUrl, runtime: neverLooking, log });
  servers = [await start(), await start()];
});

afterAll(async () => {
  for (const server of servers) await server.stop();
  await sql.end();
  await pooler.stop();
  await database.drop();
});

const intent = (idempotencyKey: string) => ({ idempotencyKey, operation: "print", input: { text: "Menu" } });
const ann = (server: number): Api => servers[server]!.ann;

test("a hundred creates with one key over both servers make one job", async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => ann(index % 2).create(intent("one"))));
  expect(new Set(answers.map(({ job }) => job?.id)).size).toBe(1);
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
});

test("a claim that waits on the other server is woken, and followers there see everything, by notifications alone", async () => {
  const [here, there] = servers as [ApiServer, ApiServer];
  const streams = overSocket(there.url, "ann");
  const changes = streams.open<JobView>("jobs-updated", {});
  await waitUntil("it follows", () => there.running.counts.subscriptions.total === 1);
  const waiting = there.worker.claim({ providers: ["plotter"], waitMs: 15_000 });
  const { job } = await here.ann.create({ ...intent("two"), operation: "any", provider: "plotter" });
  if (job === undefined) throw new Error("createJob was refused");
  const [claim] = await waiting;
  expect(claim?.attempt.job.id).toBe(job.id);
  const events = streams.open<EventView>("job-events", { jobId: job.id });
  await events.sees(3);
  await holding(here.worker.api, claim!).complete({ pages: 1 });
  await events.sees(5);
  expect(events.seen.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  await changes.shows("it as succeeded", ({ id, state }) => id === job.id && state === "SUCCEEDED");
  streams.close();
  expect([...changes.errors, ...events.errors]).toEqual([]);
});

test("while a pooler dies and comes back nothing acknowledged is lost, and whoever repeats a call makes no second job", async () => {
  const [here, there] = servers as [ApiServer, ApiServer];
  const streams = overSocket(there.url, "ann");
  const insist = async (key: string): Promise<string> => {
    for (;;) {
      const { job } = await here.ann.create(intent(key)).catch(() => ({ job: undefined }));
      if (job !== undefined) return job.id;
    }
  };
  const keys = Array.from({ length: 60 }, (_, index) => `storm ${index}`);
  const first = await insist(keys[0]!);
  const followed = streams.open<EventView>("job-events", { jobId: first });
  await followed.sees(2);
  const insisting = Promise.all(keys.map(insist));
  await pooler.kill();
  await pooler.start();
  const ids = await insisting;
  expect(new Set(ids).size).toBe(keys.length);
  const [row] = await sql`select count(*)::int as jobs from jobs where idempotency_key like 'storm %'`;
  expect(row).toEqual({ jobs: keys.length });
  await here.ann.cancelJob(first);
  await followed.sees(4);
  expect(followed.seen.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  streams.close();
});

test("behind a pooler every invariant has held", async () => {
  expect(await checkInvariants(sql)).toEqual([]);
});
