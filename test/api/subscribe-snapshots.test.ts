/** The subscriptions jobUpdated and attemptUpdated, over both transports: the present first, then every change. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AttemptView, JobView } from "../support/api-answers.ts";
import { claimedJob, newJob, standing, takenOver } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { type Stream, type Streams, transports } from "../support/api-streams.ts";
import { waitUntil } from "../support/wait-until.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer({ runtime: { feedPollMs: 600_000 } });
});
afterAll(() => server.stop());

describe.each(transports)("over %s", (_name, connect) => {
  let streams: Streams;
  beforeAll(() => {
    streams = connect(server.url, "ann");
  });
  afterAll(() => streams.close());

  const followJob = (id: string): Stream<JobView> => streams.open("job-updated", { id });
  const followAttempts = (jobId: string): Stream<AttemptView> => streams.open("attempt-updated", { jobId });

  describe("jobUpdated", () => {
    it("shows the job now, then its changes and its progress, and ends after the final state", async () => {
      const job = await newJob(server);
      const stream = followJob(job.id);
      expect((await stream.sees(1))[0]).toMatchObject({ id: job.id, state: "QUEUED", lastEventNumber: 2 });
      const held = await server.worker.take(job.id);
      await stream.shows("the start", (seen) => seen.latestAttempt.state === "STARTING");
      await held.running();
      await stream.shows("the running attempt", (seen) => seen.latestAttempt.state === "RUNNING");
      await held.beat({ fraction: 0.25, message: "page 1" });
      const progressing = await stream.shows("the progress", (seen) => seen.progress?.fraction === 0.25);
      expect(progressing).toMatchObject({ state: "RUNNING", lastEventNumber: 4, progress: { message: "page 1" } });
      await held.complete({ pages: 1 });
      await stream.ends();
      expect(stream.seen.at(-1)).toMatchObject({
        state: "SUCCEEDED",
        result: { pages: 1 },
        lastEventNumber: 6,
        progress: null,
      });
      expect(stream.errors).toEqual([]);
    });

    it("never goes back: the event numbers that it shows only grow", async () => {
      const { job, held } = await claimedJob(server);
      const stream = followJob(job.id);
      await stream.sees(1);
      await held.running();
      await Promise.all(Array.from({ length: 20 }, (_, index) => held.beat({ fraction: index / 20 })));
      await held.complete({ pages: 1 });
      await stream.ends();
      const numbers = stream.seen.map((seen) => seen.lastEventNumber);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    });

    it("stays open while the job is FAILED, since a retry reopens it", async () => {
      const { job, held } = await claimedJob(server);
      const stream = followJob(job.id);
      await held.fail("DEFINITE", { remedy: "NONE" });
      await stream.shows("the failure", (seen) => seen.state === "FAILED");
      expect(stream.ended).toBe(false);
      await server.ann.retry(job.id, held.attempt.id);
      await stream.shows("the retry", (seen) => seen.state === "QUEUED" && seen.latestAttempt.number === 2);
      await server.ann.cancelJob(job.id);
      await stream.ends();
      expect(stream.seen.at(-1)).toMatchObject({ state: "CANCELLED" });
    });

    it("of a finished job shows its newest state alone, and ends: no old one flashes up (faults 17)", async () => {
      const { job, second } = await takenOver(server);
      const before = followJob(job.id);
      await before.sees(1);
      await second.complete({ pages: 1 });
      await before.ends();
      const again = followJob(job.id);
      await again.ends();
      expect(again.seen).toHaveLength(1);
      expect(again.seen[0]).toMatchObject({ state: "SUCCEEDED", result: { pages: 1 }, winner: { number: 2 } });
    });

    it("subscribed 0, 1 and 100 ms after the create and after the completion shows a snapshot first, then all (faults 16)", async () => {
      const job = await newJob(server);
      const start = performance.now();
      const early = [followJob(job.id)];
      for (const afterMs of [1, 100]) {
        await waitUntil(`${afterMs} ms have passed`, () => performance.now() - start >= afterMs);
        early.push(followJob(job.id));
      }
      for (const stream of early) expect((await stream.sees(1))[0]).toMatchObject({ state: "QUEUED" });
      const held = await server.worker.take(job.id);
      for (const stream of early) await stream.shows("the start", (seen) => seen.state === "RUNNING");
      await held.complete({ pages: 1 });
      for (const stream of [...early, followJob(job.id)]) {
        await stream.ends();
        expect(stream.seen.at(-1)).toMatchObject({ state: "SUCCEEDED", lastEventNumber: 5 });
      }
    });
  });

  describe("attemptUpdated", () => {
    it("shows each attempt as it is now, then its changes, and ends after the job's final state", async () => {
      const { job, second } = await takenOver(server);
      const stream = followAttempts(job.id);
      const [first] = await stream.sees(2);
      expect(first).toMatchObject({ number: 1, state: "CANCELLED", effectUncertain: true });
      expect(stream.seen[1]).toMatchObject({ number: 2, providerName: "laser" });
      await second.running("request-2");
      await stream.shows("the request's id", (seen) => seen.providerRequestId === "request-2");
      await second.complete({ pages: 1 });
      await stream.ends();
      expect(standing(stream.seen.slice(-1))).toEqual(["2 laser SUCCEEDED"]);
      expect(stream.seen.filter((seen) => seen.number === 1)).toHaveLength(1);
    });

    it("shows a new attempt as soon as there is one", async () => {
      const { job, held } = await claimedJob(server);
      const stream = followAttempts(job.id);
      await stream.sees(1);
      await held.fail("DEFINITE", { remedy: "NONE" });
      await server.ann.retry(job.id, held.attempt.id);
      await stream.shows("the second attempt", (seen) => seen.number === 2 && seen.state === "QUEUED");
      const failed = await stream.shows(
        "the first one's failure",
        (seen) => seen.number === 1 && seen.failure !== null,
      );
      expect(failed).toMatchObject({ state: "FAILED", failure: { code: "JAMMED" } });
      stream.stop();
    });
  });

  it("ten subscriptions to a job start nothing, and change nothing (faults 15)", async () => {
    const job = await newJob(server);
    const before = await server.rowsOf(job.id);
    const counted = await server.countRows();
    const opened = Array.from({ length: 10 }, () => [
      followJob(job.id),
      followAttempts(job.id),
      streams.open("job-events", { jobId: job.id }),
    ]);
    for (const stream of opened.flat()) await stream.sees(1);
    for (const stream of opened.flat()) stream.stop();
    // The page is reloaded: all of it again.
    const reloaded = followJob(job.id);
    await reloaded.sees(1);
    reloaded.stop();
    expect(await server.rowsOf(job.id)).toEqual(before);
    expect(await server.countRows()).toEqual(counted);
  });
});
