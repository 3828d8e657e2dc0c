/** Connections of subscribers: one subscription's fault is its own, changes of other servers arrive, and who has gone leaves nothing behind. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { OpenClaimDesk } from "../../src/runtime/claim-desk.ts";
import type { LiveFeed } from "../../src/runtime/feed.ts";
import type { EventView, JobView } from "../support/api-answers.ts";
import { connectApi } from "../support/api-client.ts";
import { type ApiProcess, startApiProcess } from "../support/api-process.ts";
import { claimedJob, newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { overSocket, transports } from "../support/api-streams.ts";
import { startWorker } from "../support/api-worker.ts";
import { waitUntil } from "../support/wait-until.ts";

/** The server's own feed and claim desk, looked at from outside: no field of the API tells who follows or waits. */
const feeds: LiveFeed[] = [];
const desks: OpenClaimDesk[] = [];
vi.mock(import("../../src/runtime/claim-desk.ts"), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    openClaimDesk: (options) => {
      const desk = original.openClaimDesk(options);
      desks.push(desk);
      return desk;
    },
  };
});
vi.mock(import("../../src/runtime/feed.ts"), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    openFeed: (options) => {
      const feed = original.openFeed(options);
      feeds.push(feed);
      return feed;
    },
  };
});

let server: ApiServer;
let other: ApiProcess | undefined;
let otherUrl: string;
beforeAll(async () => {
  server = await startApiServer({ runtime: { feedPollMs: 600_000, claimPollMs: 600_000 } });
  other = await startApiProcess(server.databaseUrl);
  otherUrl = other.url;
}, 120_000);
afterAll(async () => {
  await other?.stop();
  await server.stop();
});

const followers = () => feeds.reduce((sum, feed) => sum + feed.followerCount(), 0);

describe("a fault of one subscription on a socket", () => {
  it.each([
    ["a syntax error", "subscription { jobUpdated(", "GRAPHQL_PARSE_FAILED"],
    ["a document that nests too deep", `subscription { jobUpdated(id: ${"[".repeat(5_000)}`, "GRAPHQL_PARSE_FAILED"],
    [
      "a condition at its root",
      'subscription { jobUpdated(id: "x") @skip(if: true) { id } }',
      "GRAPHQL_VALIDATION_FAILED",
    ],
    ["an unknown field", "subscription { jobDeleted { id } }", "GRAPHQL_VALIDATION_FAILED"],
    ["a variable that does not fit", "subscription ($id: ID!) { jobUpdated(id: $id) { id } }", "BAD_USER_INPUT"],
    [
      "a subscription that is not there yet",
      `subscription { certificationUpdated(id: "cert_1") { id } }`,
      "NOT_AVAILABLE_YET",
    ],
  ])("%s is told to that one alone: the others go on", async (_what, document, code) => {
    const streams = overSocket(server.url, "ann");
    const job = await newJob(server);
    const good = streams.open<EventView>("job-events", { jobId: job.id });
    await good.sees(2);
    const bad = streams.open(document, {});
    await bad.ends();
    expect(bad.errors.map((error) => error.code)).toEqual([code]);
    await server.ann.cancelJob(job.id);
    expect((await good.sees(4)).map((event) => event.number)).toEqual([1, 2, 3, 4]);
    expect(good.errors).toEqual([]);
    streams.close();
  });
});

describe.each(transports)("a job that is changed through another server process, over %s", (_name, connect) => {
  it("shows every event, progress and the end (NOTIFY, since no poll comes in time)", async () => {
    const streams = connect(server.url, "ann");
    const ann = connectApi(otherUrl, "ann");
    const { job } = await ann.create({ idempotencyKey: randomUUID(), operation: "print", input: { text: "Menu" } });
    const events = streams.open<EventView>("job-events", { jobId: job!.id });
    const snapshots = streams.open<JobView>("job-updated", { id: job!.id });
    await Promise.all([events.sees(2), snapshots.sees(1)]);
    const held = await startWorker(otherUrl).take(job!.id);
    await events.sees(3);
    await held.running();
    await events.sees(4);
    await held.beat({ fraction: 0.5 });
    await snapshots.shows("the progress", (seen) => seen.progress?.fraction === 0.5);
    await held.complete({ pages: 1 });
    expect((await events.sees(6)).map((event) => event.number)).toEqual([1, 2, 3, 4, 5, 6]);
    await snapshots.ends();
    expect(snapshots.seen.at(-1)).toMatchObject({ state: "SUCCEEDED", result: { pages: 1 } });
    streams.close();
  });
});

describe("a claim that waits", () => {
  it("gets a job that is created through another server process", async () => {
    const waiting = server.worker.claim({ operations: ["any"], waitMs: 15_000 });
    await waitUntil("the claim waits", () => desks.some((desk) => desk.waitingCount() === 1));
    const { job } = await connectApi(otherUrl, "ann").create({
      idempotencyKey: randomUUID(),
      operation: "any",
      input: 1,
    });
    expect((await waiting).map((claim) => claim.attempt.job.id)).toEqual([job!.id]);
  });
});

describe.each(transports)("whoever has gone leaves no follower behind, over %s", (_name, connect) => {
  it("by unsubscribing, by closing the connection, and by the end of the stream", async () => {
    expect(await waitUntil("nobody follows", () => followers() === 0)).toBe(true);
    const [leaving, staying] = [connect(server.url, "ann"), connect(server.url, "ann")];
    const { job, held } = await claimedJob(server);
    const stopped = leaving.open("job-events", { jobId: job.id });
    const opened = [
      stopped,
      leaving.open("job-updated", { id: job.id }),
      leaving.open("attempt-updated", { jobId: job.id }),
      staying.open("job-updated", { id: job.id }),
      staying.open("attempt-updated", { jobId: job.id }),
    ];
    for (const stream of opened) await stream.sees(1);
    expect(followers()).toBe(5);
    stopped.stop();
    await waitUntil("the one that unsubscribed is gone", () => followers() === 4);
    leaving.close();
    await waitUntil("the closed connection's are gone", () => followers() === 2);
    await held.complete({ pages: 1 });
    await waitUntil("the ended streams are gone", () => followers() === 0);
    staying.close();
  });
});
