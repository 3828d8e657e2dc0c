/** Each limit on documents at its edge, by every transport: what is at the limit is answered, one more is refused, and nothing is carried out. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiConfig } from "../../support/api-config.ts";
import { type ApiServer, startApiServer } from "../../support/api-server.ts";
import { everyWay, openDocumentSocket, type Way, waysToSend } from "../../support/document-calls.ts";

const limits = { documentTokens: 120, depth: 6, aliases: 3, complexity: 3_000 };

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer({ config: { ...apiConfig, limits } });
});
afterAll(() => server.stop());

const ask = (way: Way, query: string, variables = {}) => waysToSend[way](server.url, { query, variables }, "ann");

const times = (count: number, text: string) => Array.from({ length: count }, () => text).join(" ");
/** Four tokens are those of the two selection sets, and one is `viewer`. */
const ofTokens = (count: number) => `{ viewer { ${times(count - 5, "ownerId")} } }`;
/** `job` and `id` are two of them. */
const ofDepth = (depth: number) => {
  const between = Array.from({ length: depth - 2 }, (_, index) => (index % 2 === 0 ? "latestAttempt" : "job"));
  return `{ job(id: "1") { ${between.map((name) => `${name} {`).join(" ")} id ${times(between.length, "}")} } }`;
};
const inFragments = `{ job(id: "1") { ...A } }
  fragment A on Job { latestAttempt { ...B } } fragment B on Attempt { job { ...C } }
  fragment C on Job { latestAttempt { job { ...D } } }`;
const ofAliases = (count: number) =>
  `{ viewer { ${Array.from({ length: count }, (_, i) => `a${i}: ownerId`).join(" ")} } }`;

/** Server-Sent Events tell what is wrong in an event of a stream that is in order. */
const statuses: Readonly<Record<Way, number | null>> = {
  POST: 400,
  GET: 400,
  "Server-Sent Events": 200,
  WebSocket: null,
};

/** Nothing is there to be found: a refusal of the document is told from an answer by its code. */
describe.each(everyWay)("by %s", (way) => {
  it.each([
    ["tokens", ofTokens(limits.documentTokens), ofTokens(limits.documentTokens + 1), "DOCUMENT_TOO_LONG"],
    ["depth", ofDepth(limits.depth), ofDepth(limits.depth + 1), "DEPTH_LIMIT_EXCEEDED"],
    [
      "depth through fragments",
      `${inFragments} fragment D on Job { id }`,
      `${inFragments} fragment D on Job { latestAttempt { id } }`,
      "DEPTH_LIMIT_EXCEEDED",
    ],
    ["aliases", ofAliases(limits.aliases), ofAliases(limits.aliases + 1), "ALIAS_LIMIT_EXCEEDED"],
    [
      "aliases in a fragment, each time that it is spread",
      `{ a: viewer { ...A } } fragment A on Viewer { b: ownerId c: roles }`,
      `{ viewer { ...A ...A } } fragment A on Viewer { b: ownerId c: roles }`,
      "ALIAS_LIMIT_EXCEEDED",
    ],
  ])("%s: the limit is answered, one more is refused", async (_what, within, over, code) => {
    expect((await ask(way, within)).codes).toEqual([]);
    const refused = await ask(way, over);
    expect({ codes: refused.codes, data: refused.data ?? null }).toEqual({ codes: [code], data: null });
    expect(refused.status).toBe(statuses[way]);
  });

  it("cost: a page that the variables say is refused where they make it cost too much", async () => {
    // A statement, and for each of the jobs its row and its id, of the events a statement, and the row and number of each.
    const query = "query ($n: Int!) { jobs(first: $n) { nodes { id events(first: 10) { number } } } }";
    const cost = (n: number) => 400 + n * (5 + 1 + 10 * 6);
    expect([cost(39), cost(40)]).toEqual([2_974, 3_040]);
    expect((await ask(way, query, { n: 39 })).codes).toEqual([]);
    const { codes, messages } = await ask(way, query, { n: 40 });
    expect(codes).toEqual(["COMPLEXITY_LIMIT_EXCEEDED"]);
    expect(messages[0]).toContain("costs 3,040, and 3,000 is the most");
  });
});

const mutation = `mutation ($input: CreateJobsInput!) { createJobs(input: $input) { __typename } }`;
const jobs = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    idempotencyKey: `key-${index}`,
    operation: "print",
    input: { text: "Menu" },
  }));

it.each(["POST", "WebSocket", "Server-Sent Events"] as const)(
  "refuses a mutation by %s before it writes",
  async (way) => {
    const before = await server.countRows();
    const refused = await ask(way, mutation, { input: { jobs: jobs(30) } });
    expect(refused.codes).toEqual(["COMPLEXITY_LIMIT_EXCEEDED"]);
    expect(await server.countRows()).toEqual(before);
  },
);

it("carries out the same mutation within the limit", async () => {
  const { data } = await ask("POST", mutation, { input: { jobs: jobs(10) } });
  expect(data).toEqual({ createJobs: { __typename: "CreateJobsSuccess" } });
  expect((await server.countRows()).jobs).toBe(10);
});

it.each(["Server-Sent Events", "WebSocket"] as const)(
  "refuses a subscription by %s that shows too much each time",
  async (way) => {
    const query = `subscription { jobsUpdated { events(first: 500) { number } } }`;
    expect((await ask(way, query)).codes).toEqual(["COMPLEXITY_LIMIT_EXCEEDED"]);
  },
);

it("goes on with the other calls of a socket", async () => {
  const socket = await openDocumentSocket(server.url, "ann");
  for (const query of [ofTokens(200), ofDepth(9), ofAliases(9), "{ jobs(first: 100) { nodes { events { number } } } }"])
    expect((await socket.ask({ query })).codes).toHaveLength(1);
  expect(await socket.ask({ query: "{ viewer { ownerId } }" })).toMatchObject({ data: { viewer: { ownerId: "ann" } } });
  expect(socket.isOpen).toBe(true);
  socket.close();
});

it("counts what a variable that is null leaves to the executor, and the rest all the same", async () => {
  const query = `query ($n: Int = 1) { jobs(first: 100) { nodes { events(first: 10) { number } } } job(id: "1") { events(first: $n) { number } } }`;
  expect((await ask("POST", query, { n: null })).codes).toEqual(["COMPLEXITY_LIMIT_EXCEEDED"]);
});

it("refuses a value of another type with the words of GraphQL", async () => {
  const query = "query ($n: Int!) { jobs(first: $n) { nodes { id } } }";
  const { codes, data } = await ask("POST", query, { n: "many" });
  expect({ codes, data: data ?? null }).toEqual({ codes: ["BAD_USER_INPUT"], data: null });
});

it("takes a condition without a value for no way around the cost: nothing is carried out", async () => {
  const query = `mutation ($v: Boolean = true) {
    createJob(input: { idempotencyKey: "with a condition", operation: "print", input: { text: "Menu" } }) {
      __typename @include(if: $v)
    } }`;
  const before = await server.countRows();
  expect((await ask("POST", query, { v: null })).codes).toEqual(["BAD_USER_INPUT"]);
  expect(await server.countRows()).toEqual(before);
});

it("does not count what a condition leaves out", async () => {
  const query = `query ($all: Boolean!) { jobs(first: 100) { nodes { id events @include(if: $all) { number } } } }`;
  expect((await ask("POST", query, { all: false })).codes).toEqual([]);
  expect((await ask("POST", query, { all: true })).codes).toEqual(["COMPLEXITY_LIMIT_EXCEEDED"]);
});
