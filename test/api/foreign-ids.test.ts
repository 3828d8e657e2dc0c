/** Ids that name nothing, or what is another's, through the API: null or NotFound on every way in, and never a database error. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Api, documentOf, type Fields } from "../support/api-client.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { overSocket, transports } from "../support/api-streams.ts";
import { captureLog } from "../support/capture-log.ts";

const { log, expectSilence } = captureLog();
let server: ApiServer;
let job: { id: string; attemptId: string };
let leaseToken: string;
beforeAll(async () => {
  server = await startApiServer({ log });
  const made = await newJob(server);
  job = { id: made.id, attemptId: made.latestAttempt.id };
  leaseToken = (await server.worker.take(made.id)).claim.leaseToken;
});
/** No database error is behind any of these answers: the log would tell of it. */
afterEach(expectSilence);
afterAll(() => server.stop());

/** Of no kind, of the wrong one, cut, too great for a UUID, in capitals, hostile, long. */
const malformed = [
  "",
  "job",
  "job_",
  "att_",
  "job_1",
  "job_zzzzzzzzzzzzzzzzzzzzzzzzzz",
  "att_zzzzzzzzzzzzzzzzzzzzzzzzzz",
  "job_01h455vb4pex5vsknk084sn02Q",
  "01890a5d-ac96-774b-bcce-b302099a8057",
  "job_01890a5d-ac96-774b-bcce-b302099a8057",
  "op_",
  "prov_\0",
  "job_\0",
  "' or true --",
  "job_01h455vb4pex5vsknk084sn02q' or 'a'='a",
  "x".repeat(10_000),
];
/** Well formed, and nobody's. */
const nobodys = ["job_01h455vb4pex5vsknk084sn02q", "att_01h455vb4pex5vsknk084sn02q"];

const queries: readonly [name: string, document: string, variables: (id: string) => Fields][] = [
  ["job", "job", (id) => ({ id })],
  ["attempt", "attempt", (id) => ({ id })],
  ["node", "node", (id) => ({ id })],
];
const mutations: readonly [name: string, caller: "ann" | "bob" | "worker", input: (id: string) => Fields][] = [
  ["retry-job", "bob", (id) => ({ jobId: id, afterAttemptId: id })],
  ["cancel-attempt", "bob", (id) => ({ attemptId: id })],
  ["cancel-job", "bob", (id) => ({ jobId: id })],
  ["mark-attempt-running", "worker", (id) => ({ attemptId: id, leaseToken })],
  ["heartbeat-attempt", "worker", (id) => ({ attemptId: id, leaseToken })],
  ["complete-attempt", "worker", (id) => ({ attemptId: id, leaseToken, result: { pages: 1 } })],
  ["fail-attempt", "worker", (id) => ({ attemptId: id, leaseToken, certainty: "DEFINITE", code: "X", message: "x" })],
];
const subscriptions: readonly [name: string, variables: (id: string) => Fields][] = [
  ["job-updated", (id) => ({ id })],
  ["job-events", (jobId) => ({ jobId })],
  ["attempt-updated", (jobId) => ({ jobId })],
];

const firstField = (data: Record<string, unknown>) => Object.values(data)[0];

describe("an id that names nothing", () => {
  it.each(queries)("is null to the query %s", async (_name, document, variables) => {
    for (const id of [...malformed, ...nobodys]) {
      expect(firstField(await server.ann.ask(documentOf(document), variables(id))), id.slice(0, 60)).toBeNull();
    }
  });

  it.each(mutations)("is NotFound to the mutation %s", async (name, caller, input) => {
    const before = await server.countRows();
    for (const id of [...malformed, ...nobodys]) {
      expect(await server.as(caller).send(name, input(id)), id.slice(0, 60)).toMatchObject({
        __typename: "NotFound",
        code: "NOT_FOUND",
      });
    }
    expect(await server.countRows()).toEqual(before);
  });

  it.each(subscriptions)("ends the subscription %s with NOT_FOUND", async (name, variables) => {
    const streams = overSocket(server.url, "ann");
    for (const id of [...malformed, ...nobodys]) {
      const stream = streams.open(name, variables(id));
      await stream.ends();
      expect(
        stream.errors.map((error) => error.code),
        id.slice(0, 60),
      ).toEqual(["NOT_FOUND"]);
    }
    streams.close();
  });

  it("as the attempt that a retry follows is NotFound, though the job is there", async () => {
    for (const id of malformed) {
      expect(await server.ann.retry(job.id, id), id.slice(0, 60)).toMatchObject({ __typename: "NotFound" });
    }
  });
});

describe("another owner's job and attempt", () => {
  const bob = (): Api => server.as("bob");

  it.each(queries)("are null to the query %s", async (name, document, variables) => {
    const ids = name === "node" ? [job.id, job.attemptId] : [name === "job" ? job.id : job.attemptId];
    for (const id of ids) expect(firstField(await bob().ask(documentOf(document), variables(id)))).toBeNull();
  });

  it("are NotFound to every mutation, in the very words for what does not exist, and nothing changes", async () => {
    const before = await server.rowsOf(job.id);
    const said = async (mutation: string, input: Fields) => (await bob().send(mutation, input)).message;
    const [noJob, noAttempt] = nobodys;
    const retry = (jobId: string, afterAttemptId: string) => said("retry-job", { jobId, afterAttemptId });
    expect(await retry(job.id, job.attemptId)).toBe(await retry(noJob!, noAttempt!));
    expect(await said("cancel-attempt", { attemptId: job.attemptId })).toBe(
      await said("cancel-attempt", { attemptId: noAttempt }),
    );
    expect(await said("cancel-job", { jobId: job.id })).toBe(await said("cancel-job", { jobId: noJob }));
    expect(await server.rowsOf(job.id)).toEqual(before);
  });

  it.each(transports)("end every subscription with NOT_FOUND over %s", async (_name, connect) => {
    const streams = connect(server.url, "bob");
    for (const [name, variables] of subscriptions) {
      const stream = streams.open(name, variables(job.id));
      await stream.ends();
      expect({ seen: stream.seen, codes: stream.errors.map((error) => error.code) }, name).toEqual({
        seen: [],
        codes: ["NOT_FOUND"],
      });
    }
    streams.close();
  });

  it("are in none of the lists, and counted by none", async () => {
    for (const list of ["jobs", "attempts"] as const) {
      const data = await bob().ask<Record<string, { edges: unknown[]; totalCount: number }>>(documentOf(list));
      expect(data[list], list).toMatchObject({ edges: [], totalCount: 0 });
    }
  });
});

describe("an attempt of a provider that the worker's token does not name", () => {
  it("is NotFound, token or not, and nothing changes", async () => {
    const made = await newJob(server, "print", { provider: "laser" });
    const held = await server.worker.take(made.id);
    const before = await server.rowsOf(made.id);
    const about = { attemptId: held.attempt.id, leaseToken: held.claim.leaseToken };
    for (const [name, caller, input] of mutations.filter(([, who]) => who === "worker")) {
      const answer = await server.as("inkjetWorker").send(name, { ...input(about.attemptId), ...about });
      expect(answer, `${name} as ${caller}`).toMatchObject({ __typename: "NotFound" });
    }
    expect(await server.rowsOf(made.id)).toEqual(before);
  });
});
