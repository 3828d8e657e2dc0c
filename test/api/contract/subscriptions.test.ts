/** The subscriptions with their arguments, over WebSocket and Server-Sent Events; and the fields that answer NOT_AVAILABLE_YET. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusalOf } from "../../support/api-client.ts";
import { overSocket, type Stream, type Streams, transports } from "../../support/api-streams.ts";
import { notAvailableYet } from "../../support/contract-exceptions.ts";
import { promisesOf } from "../../support/contract-promises.ts";
import { startWorld, type World } from "../../support/contract-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const promise = promisesOf(
  "Subscription.jobUpdated",
  "Subscription.jobEvents",
  "Subscription.attemptUpdated",
  "Subscription.jobsUpdated",
  "Subscription.certificationUpdated",
);

/** The same over both transports. */
async function overBoth(listen: (streams: Streams) => Promise<void>): Promise<void> {
  for (const [, connect] of transports) {
    const streams = connect(world.url, "ann");
    try {
      await listen(streams);
    } finally {
      streams.close();
    }
  }
}

promise("Subscription.jobUpdated", "is the job now, then at its changes, and ends after a final state", async () => {
  await overBoth(async (streams) => {
    const { jobId, held } = await world.fresh("RUNNING");
    const document = "subscription ($id: ID!) { jobUpdated(id: $id) { id state } }";
    const stream = streams.open(document, { id: jobId });
    expect(await stream.sees(1)).toEqual([{ id: jobId, state: "RUNNING" }]);
    await held?.complete({ pages: 1 });
    await stream.ends();
    expect(stream.seen.at(-1)).toEqual({ id: jobId, state: "SUCCEEDED" });
  });
});

promise("Subscription.jobEvents", "is every event, from the log first and then live", async () => {
  await overBoth(async (streams) => {
    const { jobId, held } = await world.fresh("RUNNING");
    const stream = streams.open<{ number: number }>(
      "subscription ($id: ID!) { jobEvents(jobId: $id) { number type } }",
      { id: jobId },
    );
    await stream.sees(4);
    await held?.complete({ pages: 1 });
    const events = await stream.sees(6);
    expect(events.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(events.at(-1)).toMatchObject({ type: "JOB_SUCCEEDED" });
  });
});

promise("Subscription.jobEvents(after:)", "leaves out those up to the number", async () => {
  await overBoth(async (streams) => {
    const { jobId } = await world.in("SUCCEEDED");
    const document = "subscription ($id: ID!, $after: Int!) { jobEvents(jobId: $id, after: $after) { number } }";
    expect(await streams.open(document, { id: jobId, after: 3 }).sees(2)).toEqual([{ number: 4 }, { number: 5 }]);
  });
});

promise("Subscription.attemptUpdated", "is each attempt as it is now, then at its changes", async () => {
  await overBoth(async (streams) => {
    const { jobId, attemptId, held } = await world.fresh("RUNNING");
    const document = "subscription ($id: ID!) { attemptUpdated(jobId: $id) { id state progress { fraction } } }";
    const stream = streams.open(document, { id: jobId });
    expect(await stream.sees(1)).toEqual([{ id: attemptId, state: "RUNNING", progress: null }]);
    await held?.beat({ fraction: 0.5 });
    await stream.shows("the progress", (seen: unknown) => JSON.stringify(seen).includes("0.5"));
    await held?.complete({ pages: 1 });
    await stream.ends();
    expect(stream.seen.at(-1)).toMatchObject({ id: attemptId, state: "SUCCEEDED" });
  });
});

/** A stream does not say when it has begun: jobs are changed until one is shown. */
async function showing(stream: Stream<{ id: string }>): Promise<string> {
  while (stream.seen.length === 0 && !stream.ended) await world.fresh("QUEUED");
  return stream.seen[0]?.id ?? "";
}

promise("Subscription.jobsUpdated", "begins with the next change, and shows every job of the owner", async () => {
  await overBoth(async (streams) => {
    const stream = streams.open<{ id: string; state: string }>("subscription { jobsUpdated { id state } }", {});
    await showing(stream);
    const { jobId, held } = await world.fresh("RUNNING");
    await held?.complete({ pages: 1 });
    await stream.shows("the end", (seen) => seen.id === jobId && seen.state === "SUCCEEDED");
    expect(stream.errors).toEqual([]);
    stream.stop();
  });
});

promise(
  "Subscription.jobsUpdated(filter:)",
  "keeps the others out, and sends what stops matching once more",
  async () => {
    await overBoth(async (streams) => {
      const document = "subscription ($filter: JobFilter) { jobsUpdated(filter: $filter) { id state } }";
      const stream = streams.open<{ id: string; state: string }>(document, { filter: { states: ["QUEUED"] } });
      await showing(stream);
      const { jobId, held } = await world.fresh("RUNNING");
      await stream.shows("the start", (seen) => seen.id === jobId && seen.state === "RUNNING");
      await held?.complete({ pages: 1 });
      const { jobId: last } = await world.fresh("QUEUED");
      await stream.shows("the next job", (seen) => seen.id === last);
      const states = stream.seen.flatMap((seen) => (seen.id === jobId ? [seen.state] : []));
      expect(states.slice(states.indexOf("RUNNING"))).toEqual(["RUNNING"]);
      stream.stop();
    });
  },
);

describe("what is not built yet", () => {
  const isSubscription = ([part]: (typeof notAvailableYet)[number]) => part.startsWith("Subscription.");

  it.each(notAvailableYet.filter((one) => !isSubscription(one)))("%s says so", async (_part, document) => {
    const before = await world.countRows();
    const refusal = await refusalOf(world.operator.ask(document));
    expect(refusal).toMatchObject({ status: 200, code: "NOT_AVAILABLE_YET" });
    expect(await world.countRows()).toEqual(before);
  });

  it.each(notAvailableYet.filter(isSubscription))("%s says so, and ends", async (_part, document) => {
    const streams = overSocket(world.url, "operator");
    const stream = streams.open(document, {});
    await stream.ends();
    expect(stream.errors.map((error) => error.code)).toEqual(["NOT_AVAILABLE_YET"]);
    streams.close();
  });
});
