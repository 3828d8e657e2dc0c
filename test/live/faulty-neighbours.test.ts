/** Subscriptions that are refused, or that fail at every frame, beside healthy ones on the same socket: those go on undisturbed. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { tokens } from "../support/api-config.ts";
import { claimedJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { captureLog } from "../support/capture-log.ts";
import { codesIn, openRawSocket, type RawSocket } from "../support/raw-socket.ts";
import { waitUntil } from "../support/wait-until.ts";

const { log } = captureLog();
let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer({ log, runtime: { feedPollMs: 600_000 } });
});
afterAll(() => server.stop());

const healthy = (id: string) => ({
  events: `subscription { jobEvents(jobId: "${id}") { number } }`,
  picture: `subscription { jobUpdated(id: "${id}") { lastEventNumber state } }`,
  attempts: `subscription { attemptUpdated(jobId: "${id}") { state } }`,
  jobs: "subscription { jobsUpdated { lastEventNumber } }",
});

const refused = (id: string) => ({
  syntax: ["subscription { jobUpdated(", "GRAPHQL_PARSE_FAILED"],
  field: [`subscription { jobUpdated(id: "${id}") { nothing } }`, "GRAPHQL_VALIDATION_FAILED"],
  stranger: ['subscription { jobUpdated(id: "job_00000000000000000000000000") { id } }', "NOT_FOUND"],
  ahead: [`subscription { jobEvents(jobId: "${id}", after: 99) { number } }`, "CURSOR_AHEAD"],
  negative: [`subscription { jobEvents(jobId: "${id}", after: -1) { number } }`, "BAD_USER_INPUT"],
});

/** The table that it reads is away: each of its frames fails, though the feed has read the job. */
const failing = (id: string) => `subscription { jobUpdated(id: "${id}") { state operation { gates { open } } } }`;

const typesOf = (socket: RawSocket, id: string) =>
  socket.messages.filter((message) => message.id === id).map(({ type }) => type);
function shownBy<Value>(socket: RawSocket, id: string): Value[] {
  const results = socket.messages.filter((message) => message.id === id && message.type === "next");
  return results.flatMap(({ payload }) => Object.values((payload as { data: Record<string, Value> }).data));
}

it("each is told its own fault, one that fails at a frame goes on, and the healthy ones show everything once", async () => {
  const { job, held } = await claimedJob(server);
  const socket = await openRawSocket(server.url, { params: { token: tokens.ann } });
  await server.sql`alter table certifications rename to certifications_away`;
  // One bad one between each two.
  const good = Object.entries(healthy(job.id));
  const bad = Object.entries(refused(job.id));
  for (const [index, [id, [query]]] of bad.entries()) {
    socket.subscribe(id, query ?? "");
    const next = good[index];
    if (next !== undefined) socket.subscribe(next[0], next[1]);
    if (index === 0) socket.subscribe("failing", failing(job.id));
  }
  for (const [id, [, code]] of bad) {
    const answer = await socket.answer(id);
    expect(codesIn(answer), id).toEqual([code]);
  }
  for (const id of ["events", "picture", "attempts", "failing"]) await socket.answer(id);
  await held.running();
  await waitUntil("it runs", () => shownBy<{ number: number }>(socket, "events").length === 4);
  await waitUntil("a frame has failed again", () => typesOf(socket, "failing").length === 2);
  await server.sql`alter table certifications_away rename to certifications`;
  await held.complete({ pages: 1 });
  for (const id of ["picture", "attempts", "failing"])
    await waitUntil(`${id} has ended`, () => typesOf(socket, id).at(-1) === "complete");
  await waitUntil("all events have come", () => shownBy(socket, "events").length === 6);

  expect(shownBy(socket, "events").map((event) => (event as { number: number }).number)).toEqual([1, 2, 3, 4, 5, 6]);
  const numbersOf = (id: string) =>
    shownBy<{ lastEventNumber: number }>(socket, id).map((shown) => shown.lastEventNumber);
  expect(numbersOf("picture")).toEqual([3, 4, 6]);
  // Whoever begins to follow a job has it read, so that it may be shown as it was, once.
  expect(numbersOf("jobs").filter((number) => number > 3)).toEqual([4, 6]);
  expect(shownBy<{ state: string }>(socket, "attempts").map(({ state }) => state)).toEqual([
    "STARTING",
    "RUNNING",
    "SUCCEEDED",
  ]);
  const frames = socket.messages.filter(({ id, type }) => id === "failing" && type === "next");
  expect(frames.map(codesIn)).toEqual([["INTERNAL_SERVER_ERROR"], ["INTERNAL_SERVER_ERROR"], []]);
  expect(frames.at(-1)?.payload).toMatchObject({ data: { jobUpdated: { state: "SUCCEEDED" } } });
  // Before it begins by an error, at its start by one result and the end.
  for (const [id] of bad) expect([["error"], ["next", "complete"]], id).toContainEqual(typesOf(socket, id));

  // What is left of it all are the two streams that stay open.
  expect([server.running.counts.subscriptions.total, server.running.followerCount()]).toEqual([2, 2]);
  socket.socket.terminate();
  await waitUntil("nobody follows", () => server.running.followerCount() === 0);
  expect(server.running.counts.subscriptions.total).toBe(0);
});
