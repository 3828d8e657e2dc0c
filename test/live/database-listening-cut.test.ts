/** The listening connection cut, again and again, while another server commits: its clients end with the truth all the same. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { newJob } from "../support/api-reach.ts";
import type { ApiServer } from "../support/api-server.ts";
import { waitUntil } from "../support/wait-until.ts";
import { openAudience } from "./database-audience.ts";
import { type Fleet, makeHistory, openFleet, patienceMs } from "./database-servers.ts";

let fleet: Fleet;
let server: ApiServer;
let other: ApiServer;
/** The one process of the database that listens for the first server. */
let listener: number;
beforeAll(async () => {
  fleet = await openFleet();
  server = await fleet.start();
  [listener = 0] = await fleet.listeners();
  other = await fleet.start();
});
afterAll(() => fleet.stop());

/** Cuts, and answers when the server listens again by another connection. */
async function cut(): Promise<void> {
  const before = await fleet.listeners();
  await fleet.sql`select pg_terminate_backend(${listener})`;
  listener = await waitUntil("the server listens again, by one connection", async () => {
    const now = await fleet.listeners();
    return now.length === 2 && now.find((pid) => !before.includes(pid));
  });
}

test(
  "no event is missing or comes twice, and lists are asked for anew",
  async () => {
    const audience = await openAudience(server);
    const followed = await Promise.all(Array.from({ length: 5 }, () => newJob(other)));
    for (const job of followed) audience.follow(job.id);
    for (let round = 0; round < 5; round += 1) {
      const job = followed[round];
      const [made] = await Promise.all([makeHistory(other, 4), cut(), job && other.ann.cancelJob(job.id)]);
      for (const one of made) audience.follow(one.id);
    }
    await audience.endsWithTruth();
    expect(audience.resyncs).toBeGreaterThanOrEqual(1);
    await audience.leave();
  },
  patienceMs,
);

test(
  "after many cuts there is still one listening connection for each server, and hints come by it",
  async () => {
    for (let round = 0; round < 5; round += 1) await cut();
    const audience = await openAudience(server);
    const job = await newJob(other);
    audience.follow(job.id);
    await audience.endsWithTruth();
    await other.ann.cancelJob(job.id);
    await audience.endsWithTruth();
    expect(await fleet.listeners()).toHaveLength(2);
    await audience.leave();
  },
  patienceMs,
);
