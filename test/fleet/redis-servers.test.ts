/** Two servers on one database with Redis between them, as clients see them: what the one commits the other shows, and no poll helps. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JobView } from "../support/api-answers.ts";
import { apiConfig } from "../support/api-config.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { type Stream, type Streams, transports } from "../support/api-streams.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";

/** Longer than any test: what is seen was not seen by a poll. */
const never = 3_600_000;

let redis: RedisServer;
let here: ApiServer;
let there: ApiServer;
beforeAll(async () => {
  redis = await startRedis();
  const options = {
    config: { ...apiConfig, live: { redisUrl: redis.url } },
    runtime: { feedPollMs: never, claimPollMs: never },
  };
  here = await startApiServer(options);
  there = await startApiServer({ ...options, databaseUrl: here.databaseUrl });
});
afterAll(async () => {
  await there.stop();
  await here.stop();
  await redis.stop();
});

describe.each(transports)("over %s", (_name, connect) => {
  let streams: Streams;
  beforeAll(() => {
    streams = connect(there.url, "ann");
  });
  afterAll(() => streams.close());

  test("a job's picture, its events and the owner's jobs come from one server to a client of another", async () => {
    const jobs: Stream<JobView> = streams.open("jobs-updated", { filter: null });
    // A stream does not say when it has begun, so jobs are made until one is seen.
    while (jobs.seen.length === 0 && !jobs.ended) await newJob(here);
    const job = await newJob(here);
    const picture: Stream<JobView> = streams.open("job-updated", { id: job.id });
    const events: Stream<{ number: number; type: string }> = streams.open("job-events", { jobId: job.id });
    await picture.sees(1);
    await events.sees(2);
    const held = await here.worker.take(job.id);
    await held.running();
    await held.beat({ fraction: 0.25, message: "page 1" });
    await picture.shows("the progress", (view) => view.progress?.fraction === 0.25);
    await held.complete({ pages: 1 });
    await picture.ends();
    expect(picture.seen.at(-1)?.state).toBe("SUCCEEDED");
    await jobs.shows("the end", (view) => view.id === job.id && view.state === "SUCCEEDED");
    const { length } = await events.sees(5);
    expect(events.seen.map((event) => event.number)).toEqual(Array.from({ length }, (_, index) => index + 1));
    expect([picture.errors, events.errors, jobs.errors]).toEqual([[], [], []]);
    for (const stream of [jobs, events]) stream.stop();
  });
});
