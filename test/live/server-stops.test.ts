/** A server that stops while streams are busy: each client resumes at another server from its last number, without gap or repeat. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EventView, JobView } from "../support/api-answers.ts";
import { claimedJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { overSocket, overSse } from "../support/api-streams.ts";
import { followSteadily } from "../support/steady-client.ts";
import { waitUntil } from "../support/wait-until.ts";

const clientCount = 5;
const lateResults = 60;
const last = 5 + lateResults;
const whole = Array.from({ length: last }, (_, index) => index + 1);

let staying: ApiServer;
let leaving: ApiServer;
beforeAll(async () => {
  staying = await startApiServer();
  leaving = await startApiServer({ databaseUrl: staying.databaseUrl });
});
afterAll(async () => {
  await leaving.stop();
  await staying.stop();
});

it("closes sockets with 1001 and completes Server-Sent Events; what comes meanwhile is neither lost nor sent twice", async () => {
  const { job, held } = await claimedJob(staying);
  await staying.operator.cancelAttempt(held.attempt.id);
  let url = leaving.url;
  const steady = Array.from({ length: clientCount }, () => followSteadily(job.id, () => url));
  const sse = overSse(leaving.url, "ann");
  const streams = Array.from({ length: clientCount }, () => sse.open<EventView>("job-events", { jobId: job.id }));
  const pictures = [overSocket(leaving.url, "ann"), sse].map((client) => ({
    client,
    stream: client.open<JobView>("job-updated", { id: job.id }),
  }));
  for (const { stream } of pictures) await stream.sees(1);
  await waitUntil("all have begun", () => steady.every(({ numbers }) => numbers.length >= 5));

  // Each distinct late result of the fenced attempt is one event; they go on while the server stops.
  const writing = (async () => {
    for (let pages = 1; pages <= lateResults; pages += 1) await held.complete({ pages });
  })();
  await waitUntil("they are busy", () =>
    [...steady.map(({ numbers }) => numbers), ...streams.map(({ seen }) => seen)].every((seen) => seen.length > 10),
  );
  url = staying.url;
  await leaving.running.stop();
  for (const stream of streams) {
    await stream.ends();
    expect(stream.errors).toEqual([]);
  }
  const { total } = leaving.running.counts.subscriptions;
  expect([total, leaving.running.followerCount()]).toEqual([0, 0]);

  const resumed = overSse(staying.url, "ann");
  for (const { seen } of streams) {
    const had = seen.map(({ number }) => number);
    const rest = resumed.open<EventView>("job-events", { jobId: job.id, after: had.at(-1) });
    await rest.sees(last - had.length);
    await writing;
    expect([...had, ...rest.seen.map(({ number }) => number)]).toEqual(whole);
  }
  await waitUntil("all have the last", () => steady.every(({ numbers }) => numbers.length >= last));
  for (const { numbers, faults, closes } of steady)
    expect({ numbers, faults, closes }).toEqual({ numbers: whole, faults: [], closes: [1001] });
  for (const { client, stream } of pictures) {
    // Coming back shows nothing older than what was seen.
    const again = resumed.open<JobView>("job-updated", { id: job.id });
    const [first] = await again.sees(1);
    expect(first?.lastEventNumber).toBeGreaterThanOrEqual(stream.seen.at(-1)?.lastEventNumber ?? 0);
    client.close();
  }
  await Promise.all(steady.map((client) => client.stop()));
  resumed.close();
  await waitUntil("nobody follows", () => staying.running.followerCount() === 0);
});
