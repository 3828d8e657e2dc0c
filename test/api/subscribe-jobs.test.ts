/** The subscription jobsUpdated, over both transports: an owner's jobs as they change, and nobody else's. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobView } from "../support/api-answers.ts";
import { claimedJob, newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { type Stream, type Streams, transports } from "../support/api-streams.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer({ runtime: { feedPollMs: 600_000 } });
});
afterAll(() => server.stop());

describe.each(transports)("over %s", (_name, connect) => {
  let streams: Streams;
  let operators: Streams;
  beforeAll(() => {
    streams = connect(server.url, "ann");
    operators = connect(server.url, "operator");
  });
  afterAll(() => {
    streams.close();
    operators.close();
  });

  const follow = (filter: object | null = null, by = streams): Stream<JobView> => by.open("jobs-updated", { filter });

  /** A stream does not say when it has begun, so jobs are made until one is seen. */
  async function begun(stream: Stream<JobView>): Promise<void> {
    while (stream.seen.length === 0 && !stream.ended) await newJob(server);
  }

  it("shows each of the owner's jobs at each change, with what hangs on it", async () => {
    const stream = follow();
    await begun(stream);
    const { job, held } = await claimedJob(server);
    await held.beat({ fraction: 0.25, message: "page 1" });
    const seen = (what: string, fits: (view: JobView) => boolean) =>
      stream.shows(what, (view) => view.id === job.id && fits(view));
    await seen("the progress", (view) => view.progress?.fraction === 0.25);
    await held.complete({ pages: 1 });
    const done = await seen("the end", (view) => view.state === "SUCCEEDED");
    expect(done).toMatchObject({ result: { pages: 1 }, latestAttempt: { state: "SUCCEEDED" } });
    expect(stream.errors).toEqual([]);
    stream.stop();
  });

  it("refuses another owner's jobs and a filter that cannot be, each with a code", async () => {
    for (const [filter, code] of [
      [{ ownerId: "bob" }, "FORBIDDEN"],
      [{ operation: "a\0b" }, "BAD_USER_INPUT"],
    ] as const) {
      const stream = follow(filter);
      await stream.ends();
      expect(stream.errors.map((error) => error.code)).toEqual([code]);
    }
  });

  it("lets an operator watch every owner's jobs, or one owner's", async () => {
    const [all, bobs] = [follow(null, operators), follow({ ownerId: "bob" }, operators)];
    await begun(all);
    const job = await newJob(server);
    await all.shows("the job", (view) => view.id === job.id);
    expect(bobs.seen).toEqual([]);
    all.stop();
    bobs.stop();
  });

  it("ends with the code RESYNC after a break in the feed", async () => {
    const stream = follow();
    await begun(stream);
    await server.sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'onejob listen%'`;
    await stream.ends();
    expect(stream.errors.map((error) => error.code)).toEqual(["RESYNC"]);
  });
});
