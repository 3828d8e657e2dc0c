/** What a token for one job must not do: every field that is not opened to it, other jobs, other acts; and nothing is written then. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildOnejobSchema } from "../../src/graphql/schema.ts";
import { encodeId } from "../../src/store/ids.ts";
import { documentOf, type Fields, refusalOf } from "../support/api-client.ts";
import { postGraphql } from "../support/api-raw.ts";
import { reach } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { transports } from "../support/api-streams.ts";
import { captureLog } from "../support/capture-log.ts";
import { certify } from "../support/certify.ts";
import { everyRight, type Minted, mint } from "../support/job-token.ts";
import { leastDocuments } from "../support/least-document.ts";
import { type Snapshot, snapshotTables } from "../support/snapshot-tables.ts";

/** Whatever is not here is closed, so that a field which is added is closed until somebody adds it here as well. */
const open = [
  "Query.node",
  "Query.job",
  "Query.attempt",
  "Query.viewer",
  "Mutation.retryJob",
  "Mutation.cancelAttempt",
  "Mutation.cancelJob",
  "Subscription.jobUpdated",
  "Subscription.jobEvents",
  "Subscription.attemptUpdated",
];
const documents = leastDocuments(buildOnejobSchema());
const closed = documents.filter(({ field }) => !open.includes(field));

const { log, expectSilence } = captureLog();
let server: ApiServer;
/** FAILED, with a token that has every right; another of ann's, and one of bob's. */
let own: { jobId: string; attemptId: string };
let others: { jobId: string; attemptId: string }[];
let certificationId: string;
let token: Minted;
let before: Snapshot;

beforeAll(async () => {
  server = await startApiServer({ log });
  own = await reach(server, "FAILED");
  const bobs = (await server.as("bob").create({ idempotencyKey: "1", operation: "print", input: { text: "Bill" } }))
    .job!;
  others = [await reach(server, "FAILED"), { jobId: bobs.id, attemptId: bobs.latestAttempt.id }];
  others.push(await reach(server, "QUEUED"));
  certificationId = encodeId("cert", await certify(server.sql));
  token = await mint(server, own.jobId, everyRight);
  before = await snapshotTables(server.sql);
});
async function expectNothingWritten(): Promise<void> {
  expect(await snapshotTables(server.sql)).toEqual(before);
}
afterEach(expectNothingWritten);
afterEach(expectSilence);
afterAll(() => server.stop());

describe("a field that is not opened to job tokens is FORBIDDEN, and says so", () => {
  it("the open ones are fields of the schema", () => {
    expect(open.filter((name) => !documents.some(({ field }) => field === name))).toEqual([]);
    expect(closed.length).toBeGreaterThanOrEqual(25);
  });

  it.each(closed.filter(({ kind }) => kind !== "subscription"))("$field over HTTP", async ({ text }) => {
    const { codes, text: said } = await postGraphql(server.url, JSON.stringify({ query: text }), token);
    expect(codes).toEqual(["FORBIDDEN"]);
    expect(said).toContain("is closed to a token for one job");
  });

  it.each(transports)("every one over %s", async (name, connect) => {
    const streams = connect(server.url, token);
    // SSE carries the others as well; over HTTP they were asked for above.
    const asked = name === "graphql-ws" ? closed : closed.filter(({ kind }) => kind === "subscription");
    for (const { text, field } of asked) {
      const stream = streams.open(text, {});
      await stream.ends();
      const told = { data: stream.seen.filter((one) => one !== null), codes: stream.errors.map(({ code }) => code) };
      expect(told, field).toEqual({ data: [], codes: ["FORBIDDEN"] });
    }
    streams.close();
  });

  it("node of the configuration, of a certification and of the audit log", async () => {
    const ids = ["op_print", "op_nothing", "prov_inkjet", "prov_nothing", certificationId];
    for (const id of [...ids, "cert_01h455vb4pex5vsknk084sn02q", "audit_01h455vb4pex5vsknk084sn02q"]) {
      const asked = server.as(token).ask("query ($id: ID!) { node(id: $id) { id } }", { id });
      expect((await refusalOf(asked)).code, id).toBe("FORBIDDEN");
    }
  });
});

describe("another job, of the same owner or of another", () => {
  const nobodys = { jobId: "job_01h455vb4pex5vsknk084sn02q", attemptId: "att_01h455vb4pex5vsknk084sn02q" };
  const all = () => [...others, nobodys, { jobId: "x", attemptId: "x" }];

  it.each(["job", "attempt", "node"])("is null to the query %s", async (name) => {
    for (const { jobId, attemptId } of all()) {
      const ids = name === "job" ? [jobId] : name === "attempt" ? [attemptId] : [jobId, attemptId];
      for (const id of ids) expect(await server.as(token).ask(documentOf(name), { id })).toEqual({ [name]: null });
    }
  });

  it.each([
    ["retry-job", ({ jobId, attemptId }) => ({ jobId, afterAttemptId: attemptId })],
    ["retry-job", ({ jobId, attemptId }) => ({ jobId, afterAttemptId: attemptId, provider: "nothing" })],
    ["retry-job", ({ jobId, attemptId }) => ({ jobId, afterAttemptId: attemptId, provider: "plotter" })],
    ["cancel-job", ({ jobId }) => ({ jobId })],
    ["cancel-attempt", ({ attemptId }) => ({ attemptId })],
  ] satisfies [string, (job: typeof nobodys) => Fields][])(
    "is NotFound to the mutation %s, in the words for what does not exist",
    async (name, input) => {
      const said = await Promise.all(all().map((job) => server.as(token).send(name, input(job))));
      expect(new Set(said.map(({ __typename, message }) => `${__typename} ${message}`)).size).toBe(1);
      expect(said[0]).toMatchObject({ __typename: "NotFound" });
    },
  );

  it("is not retried through an attempt of the token's own job, nor that after another's attempt", async () => {
    for (const { jobId, attemptId } of others) {
      expect((await server.as(token).retry(jobId, own.attemptId)).__typename).toBe("NotFound");
      expect((await server.as(token).retry(own.jobId, attemptId)).__typename).toBe("NotFound");
    }
  });

  it.each(transports)("ends every subscription with NOT_FOUND over %s", async (_name, connect) => {
    const streams = connect(server.url, token);
    for (const { jobId } of all())
      for (const name of ["job-updated", "job-events", "attempt-updated"]) {
        const stream = streams.open(name, name === "job-updated" ? { id: jobId } : { jobId });
        await stream.ends();
        expect({ seen: stream.seen, codes: stream.errors.map(({ code }) => code) }, name).toEqual({
          seen: [],
          codes: ["NOT_FOUND"],
        });
      }
    streams.close();
  });
});

describe("an act that the token does not name", () => {
  it.each([
    [{}, ["retry-job", "cancel-job", "cancel-attempt"]],
    [{ mayRetry: true }, ["cancel-job", "cancel-attempt"]],
    [{ mayCancel: true }, ["retry-job"]],
  ])("with %j is FORBIDDEN, though its owner could", async (rights, names) => {
    const waiting = others[2]!;
    const inputs: Readonly<Record<string, [jobId: string, input: Fields]>> = {
      "retry-job": [own.jobId, { jobId: own.jobId, afterAttemptId: own.attemptId }],
      "cancel-job": [waiting.jobId, { jobId: waiting.jobId }],
      "cancel-attempt": [waiting.jobId, { attemptId: waiting.attemptId }],
    };
    for (const name of names) {
      const [jobId, input] = inputs[name]!;
      const { code, message } = await refusalOf(server.as(await mint(server, jobId, rights)).send(name, input));
      expect(code, name).toBe("FORBIDDEN");
      expect(message, name).toMatch(/^This token follows its job, and \w+ is not allowed to it/);
    }
  });

  it("overrideGate is FORBIDDEN with every right", async () => {
    const input = { provider: "laser", overrideGate: true, reason: "x" };
    const call = server.as(token).retry(own.jobId, own.attemptId, input);
    expect((await refusalOf(call)).code).toBe("FORBIDDEN");
  });
});

describe("a provider that cannot be had", () => {
  it("is refused in words that list none, the same whether there is one of the name or not", async () => {
    const said = async (provider: string) => {
      const answer = await server.as(token).retry(own.jobId, own.attemptId, { provider });
      return JSON.stringify(answer).replaceAll(provider, "P");
    };
    const [unknown, elsewhere] = [await said("telex"), await said("plotter")];
    expect(unknown).toBe(elsewhere);
    expect(unknown).toContain("INVALID_INPUT");
    expect(unknown).not.toMatch(/inkjet|laser|plotter/);
  });
});
