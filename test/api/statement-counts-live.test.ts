/** What an event costs the database: as many statements with a thousand followers of the job as with one, counted on the wire. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../support/api-config.ts";
import { claimedJob, newJob } from "../support/api-reach.ts";
import { overSocket, type Stream, type Streams } from "../support/api-streams.ts";
import { type CountedServer, startCountedServer } from "../support/counted-server.ts";
import { waitUntil } from "../support/wait-until.ts";

const followersOnSocket = 100;
/** For opening, and telling, a thousand subscriptions on a busy machine. */
const patienceMs = 60_000;

let server: CountedServer;
const open: Streams[] = [];
beforeAll(async () => {
  server = await startCountedServer();
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.close();
});
afterAll(() => server.stop());

function connect(caller: Caller = "ann"): Streams {
  const socket = overSocket(server.url, caller);
  open.push(socket);
  return socket;
}

const attempt = "id number state progress { fraction } providerName provider { name } viewerCanCancel";
const primed = `id state lastEventNumber progress { fraction } winner { ${attempt} } latestAttempt { ${attempt} }
  liveAttempt { ${attempt} } attempts { nodes { ${attempt} } } viewerCanRetry viewerCanCancel operation { name }`;
const read = `${primed} events(first: 10) { number type attempt { ${attempt} } } provider { pausedAt }
  operation { gates { open certification { id } } }`;

interface Subscription {
  readonly document: string;
  /** Deliveries that a fresh job causes; a claim causes one more. */
  readonly fresh: number;
}

const subscriptionsTo = (ofJob: string): readonly Subscription[] => [
  { document: `subscription ($id: ID!) { jobUpdated(id: $id) { ${ofJob} } }`, fresh: 1 },
  {
    document: `subscription ($id: ID!) { jobEvents(jobId: $id) { number attempt { ${attempt} } job { ${ofJob} } } }`,
    fresh: 2,
  },
  { document: `subscription ($id: ID!) { attemptUpdated(jobId: $id) { ${attempt} job { ${ofJob} } } }`, fresh: 1 },
];

interface Following {
  readonly stream: Stream<object>;
  readonly fresh: number;
}

async function haveAll(followers: readonly Following[], more: number): Promise<void> {
  const all = () => {
    const errors = followers.flatMap(({ stream }) => stream.errors);
    if (errors.length > 0) throw new Error(`Followers were told of errors: ${JSON.stringify(errors.slice(0, 3))}`);
    return followers.every(({ stream, fresh }) => stream.seen.length >= fresh + more);
  };
  await waitUntil(`${followers.length} followers have been told`, all, patienceMs);
}

/** One socket after the other, so that the clients of this process leave the server in it time for the database. */
async function follow(jobId: string, subscriptions: readonly Subscription[], count: number): Promise<Following[]> {
  const followers: Following[] = [];
  while (followers.length < count) {
    const socket = connect();
    const some = Array.from({ length: Math.min(followersOnSocket, count - followers.length) }, (_, index) => {
      const { document, fresh } = subscriptions[index % subscriptions.length] as Subscription;
      return { stream: socket.open<object>(document, { id: jobId }), fresh };
    });
    await haveAll(some, 0);
    followers.push(...some);
  }
  return followers;
}

/** The statements of a claim, until all followers have been told of it. */
async function statementsOfClaim(subscriptions: readonly Subscription[], count: number): Promise<string[]> {
  const job = await newJob(server);
  const followers = await follow(job.id, subscriptions, count);
  const statements = await server.statementsOf(async () => {
    await server.worker.take(job.id);
    await haveAll(followers, 1);
  });
  for (const { stream, fresh } of followers) expect(stream.seen).toHaveLength(fresh + 1);
  return statements;
}

describe("an event costs as many statements for all followers as for the first ones", () => {
  it.each([
    // The claim, the claim's answer, and of the feed: events, jobs, attempts.
    ["what the feed has read", 1_000, primed, 5],
    // Events, gates and pauses on top: once for all who are shown the same.
    ["what must be read besides", 200, read, 8],
  ])("that are shown %s, %i of them", { timeout: 3 * patienceMs }, async (_name, count, ofJob, most) => {
    const subscriptions = subscriptionsTo(ofJob);
    const toFirst = await statementsOfClaim(subscriptions, subscriptions.length);
    const toAll = await statementsOfClaim(subscriptions, count);
    expect(toAll.length, [...new Set(toAll)].join("\n\n")).toBe(toFirst.length);
    expect(toFirst.length, toFirst.join("\n\n")).toBeLessThanOrEqual(most);
  });
});

it("followers of one job are each shown what they may do themselves, and what is true at each event", async () => {
  const { job, held } = await claimedJob(server);
  const document = `subscription ($id: ID!) { jobUpdated(id: $id) { ${read} } }`;
  const callers = ["ann", "operator", "ann", "operator"] as const;
  const followed = callers.map((caller) => ({
    caller,
    stream: connect(caller).open<object>(document, { id: job.id }),
  }));
  await Promise.all(followed.map(({ stream }) => stream.sees(1)));
  for (const act of [() => held.running(), () => held.beat({ fraction: 0.5 }), () => held.fail("UNCERTAIN")]) {
    const before = followed.map(({ stream }) => stream.seen.length);
    await act();
    for (const [index, { caller, stream }] of followed.entries()) {
      await stream.sees((before[index] ?? 0) + 1);
      const { now } = await server.as(caller).ask<{ now: object }>(`{ now: job(id: "${job.id}") { ${read} } }`);
      expect(stream.seen.at(-1)).toEqual(now);
    }
  }
  const canCancel = (caller: Caller) =>
    followed.find((one) => one.caller === caller)?.stream.seen.at(-1) as {
      latestAttempt: { viewerCanCancel: boolean };
    };
  expect([canCancel("ann"), canCancel("operator")].map(({ latestAttempt }) => latestAttempt.viewerCanCancel)).toEqual([
    false,
    true,
  ]);
});
