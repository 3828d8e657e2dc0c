/** What is asked of the database about another's job is what is asked about none: the same statements, as many (I11). How long they take is not judged. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { documentOf, type Fields } from "../../support/api-client.ts";
import { newJob } from "../../support/api-reach.ts";
import { overSocket } from "../../support/api-streams.ts";
import { type CountedServer, startCountedServer } from "../../support/counted-server.ts";

let server: CountedServer;
let hers: { readonly jobId: string; readonly attemptId: string };
const nobodys = { jobId: "job_01h455vb4pex5vsknk084sn02q", attemptId: "att_01h455vb4pex5vsknk084sn02q" };

beforeAll(async () => {
  server = await startCountedServer();
  const job = await newJob(server);
  hers = { jobId: job.id, attemptId: job.latestAttempt.id };
});
afterAll(() => server.stop());

type Ids = typeof nobodys;
const calls: readonly [name: string, call: (ids: Ids) => Promise<unknown>][] = [
  ["job", ({ jobId }) => ask("job", { id: jobId })],
  ["attempt", ({ attemptId }) => ask("attempt", { id: attemptId })],
  ["node of a job", ({ jobId }) => ask("node", { id: jobId })],
  ["node of an attempt", ({ attemptId }) => ask("node", { id: attemptId })],
  ["retryJob", ({ jobId, attemptId }) => send("retry-job", { jobId, afterAttemptId: attemptId })],
  ["cancelJob", ({ jobId }) => send("cancel-job", { jobId })],
  ["cancelAttempt", ({ attemptId }) => send("cancel-attempt", { attemptId })],
  ["jobUpdated", ({ jobId }) => follow("job-updated", { id: jobId })],
  ["jobEvents", ({ jobId }) => follow("job-events", { jobId })],
  ["attemptUpdated", ({ jobId }) => follow("attempt-updated", { jobId })],
];

const ask = (name: string, variables: Fields) => server.as("bob").ask(documentOf(name), variables);
const send = (name: string, input: Fields) => server.as("bob").send(name, input);
async function follow(name: string, variables: Fields): Promise<void> {
  const streams = overSocket(server.url, "bob");
  const stream = streams.open(name, variables);
  await stream.ends();
  streams.close();
}

it.each(calls)("%s takes the same statements about another's as about what never was", async (_name, call) => {
  // Once beforehand, since a connection's first use of a statement prepares it.
  await call(nobodys);
  const foreign = await server.statementsOf(() => call(hers));
  expect(foreign).toEqual(await server.statementsOf(() => call(nobodys)));
  expect(foreign.length).toBeGreaterThan(0);
});
