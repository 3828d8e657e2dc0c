/** The subscription jobEvents, over both transports: the log from a number on, then live, with neither gap nor repeat. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventView } from "../support/api-answers.ts";
import { claimedJob, newJob, takenOver } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { type Stream, type Streams, transports } from "../support/api-streams.ts";

let server: ApiServer;
beforeAll(async () => {
  // Hints alone bring events here: the poll that covers lost ones would come too late for these tests.
  server = await startApiServer({ runtime: { feedPollMs: 600_000 } });
});
afterAll(() => server.stop());

describe.each(transports)("jobEvents over %s", (_name, connect) => {
  let streams: Streams;
  beforeAll(() => {
    streams = connect(server.url, "ann");
  });
  afterAll(() => streams.close());

  const follow = (jobId: string, after?: number): Stream<EventView> =>
    streams.open("job-events", after === undefined ? { jobId } : { jobId, after });

  const numbersOf = (stream: Stream<EventView>) => stream.seen.map((event) => event.number);

  async function expectLog(stream: Stream<EventView>, jobId: string, after = 0): Promise<void> {
    const log = (await server.ann.events(jobId)).slice(after);
    await stream.sees(log.length);
    const seen = stream.seen.map(({ number, type, jobState, attemptState, cause, at }) => [
      number,
      type,
      jobState,
      attemptState,
      cause,
      at,
    ]);
    expect(seen).toEqual(
      log.map(({ number, type, jobState, attemptState, cause, at }) => [
        number,
        type,
        jobState,
        attemptState,
        cause,
        at,
      ]),
    );
  }

  it("begins with the log and goes on live", async () => {
    const { job, held } = await claimedJob(server);
    const stream = follow(job.id);
    await stream.sees(3);
    await held.running();
    await stream.sees(4);
    await held.complete({ pages: 1 });
    await stream.sees(6);
    await expectLog(stream, job.id);
    expect(stream.seen[3]).toMatchObject({
      jobId: job.id,
      type: "ATTEMPT_RUNNING",
      attempt: { id: held.attempt.id, number: 1 },
    });
    stream.stop();
  });

  it("replays only what comes after the number, and takes up where another one stopped", async () => {
    const { job, held } = await claimedJob(server);
    const first = follow(job.id);
    await first.sees(3);
    first.stop();
    await held.running();
    await held.complete({ pages: 1 });
    const second = follow(job.id, first.seen.at(-1)?.number);
    await expectLog(second, job.id, 3);
    const third = follow(job.id, 6);
    await held.complete({ pages: 2 });
    await third.sees(1);
    expect(numbersOf(third)).toEqual([7]);
    for (const stream of [second, third]) stream.stop();
  });

  it("subscribed 0 ms after the create, and while the job runs to its end, shows each event once (faults 16)", async () => {
    const job = await newJob(server);
    const streams0 = [follow(job.id), follow(job.id)];
    const held = await server.worker.take(job.id);
    const during = follow(job.id);
    await held.running();
    const late = follow(job.id, 2);
    await held.complete({ pages: 1 });
    const after = follow(job.id);
    for (const stream of [...streams0, during, after]) await expectLog(stream, job.id);
    await expectLog(late, job.id, 2);
    // One more event comes to all of them: nothing was still on its way when they were compared.
    await held.complete({ pages: 2 });
    for (const stream of [...streams0, during, after]) {
      await stream.shows("the discarded result", (event) => event.type === "RESULT_DISCARDED");
      expect(numbersOf(stream)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      stream.stop();
    }
    late.stop();
  });

  it("stays open past the final state, and shows the result that came too late", async () => {
    const { job, held: inkjet, second: laser } = await takenOver(server);
    const stream = follow(job.id);
    await laser.complete({ pages: 1 });
    await stream.shows("the success", (event) => event.type === "JOB_SUCCEEDED");
    expect(stream.ended).toBe(false);
    await inkjet.complete({ pages: 9 });
    const discarded = await stream.shows("the late result", (event) => event.type === "RESULT_DISCARDED");
    expect(discarded).toMatchObject({ jobState: "SUCCEEDED", attempt: { number: 1 } });
    expect(JSON.stringify(stream.seen)).not.toContain('"pages"');
    await expectLog(stream, job.id);
    expect(stream.ended).toBe(false);
    stream.stop();
  });

  it("subscribed after the completion replays the whole log, and stays open", async () => {
    const { job, held } = await claimedJob(server);
    await held.complete({ pages: 1 });
    const stream = follow(job.id);
    await expectLog(stream, job.id);
    expect(stream.ended).toBe(false);
    stream.stop();
  });

  it("from a number that has not happened ends with CURSOR_AHEAD", async () => {
    const job = await newJob(server);
    const stream = follow(job.id, 3);
    await stream.ends();
    expect({ seen: stream.seen, codes: stream.errors.map((error) => error.code) }).toEqual({
      seen: [],
      codes: ["CURSOR_AHEAD"],
    });
    const newest = follow(job.id, 2);
    await server.ann.cancelJob(job.id);
    await newest.sees(2);
    expect(numbersOf(newest)).toEqual([3, 4]);
    newest.stop();
  });

  it("from a negative number ends with BAD_USER_INPUT", async () => {
    const stream = follow((await newJob(server)).id, -1);
    await stream.ends();
    expect(stream.errors.map((error) => error.code)).toEqual(["BAD_USER_INPUT"]);
  });

  it("shows many events of one moment without gap or repeat", async () => {
    const { job, held } = await claimedJob(server);
    await server.operator.cancelAttempt(held.attempt.id);
    const stream = follow(job.id);
    await stream.sees(5);
    // Each distinct late result of a fenced attempt is one event.
    await Promise.all(Array.from({ length: 40 }, (_, pages) => held.complete({ pages: pages + 1 })));
    await stream.sees(45);
    const replay = follow(job.id);
    await replay.sees(45);
    const expected = Array.from({ length: 45 }, (_, index) => index + 1);
    expect(numbersOf(stream)).toEqual(expected);
    expect(numbersOf(replay)).toEqual(expected);
    for (const one of [stream, replay]) one.stop();
  });
});
