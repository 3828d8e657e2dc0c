/** Documents made to cost much by little text, at the default limits: each is refused with a code, and others are answered as before. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../support/api-server.ts";
import { type DocumentSocket, openDocumentSocket, waysToSend } from "../../support/document-calls.ts";

let server: ApiServer;
let socket: DocumentSocket;
beforeAll(async () => {
  server = await startApiServer();
  socket = await openDocumentSocket(server.url, "ann");
});
afterAll(async () => {
  socket.close();
  await server.stop();
});

const each = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join(" ");
const job = (fragments: string) => `{ job(id: "1") { ...F0 } } ${fragments}`;

/** 2^n fields, of which the text shows n. */
const doubling = (n: number, leaf: string) =>
  job(`${each(n, (i) => `fragment F${i} on Job { ...F${i + 1} ...F${i + 1} }`)} fragment F${n} on Job { ${leaf} }`);
const doublingDown = (n: number) =>
  job(
    `${each(n, (i) => `fragment F${i} on Job { winner { job { ...F${i + 1} } } latestAttempt { job { ...F${i + 1} } } }`)} fragment F${n} on Job { id }`,
  );
const nodes = (count: number, deeper: string) => `attempts(first: ${count}) { nodes { ${deeper} } }`;

const bombs: readonly (readonly [string, string, string])[] = [
  ["fragments that are spread twice in one another", doubling(100, "id"), "COMPLEXITY_LIMIT_EXCEEDED"],
  ["the same with an alias at their end", doubling(100, "a: id"), "ALIAS_LIMIT_EXCEEDED"],
  ["the same with fields between", doublingDown(8), "DEPTH_LIMIT_EXCEEDED"],
  ["a fragment in itself", job("fragment F0 on Job { id ...F0 }"), "GRAPHQL_VALIDATION_FAILED"],
  [
    "fragments in a circle",
    job(each(200, (i) => `fragment F${i} on Job { id ...F${(i + 1) % 200} }`)),
    "GRAPHQL_VALIDATION_FAILED",
  ],
  ["a thousand aliases", `{ viewer { ${each(600, (i) => `a${i}: ownerId`)} } }`, "ALIAS_LIMIT_EXCEEDED"],
  [
    "five hundred statements by an alias each",
    `{ ${each(60, (i) => `a${i}: jobByKey(idempotencyKey: "${i}") { id }`)} }`,
    "ALIAS_LIMIT_EXCEEDED",
  ],
  ["thousands of equal fields", `{ ${each(2_000, () => "viewer { ownerId }")} }`, "DOCUMENT_TOO_LONG"],
  [
    "hundreds of equal fields that differ",
    `{ ${each(200, (i) => `job(id: "${i}") { id }`)} }`,
    "GRAPHQL_VALIDATION_FAILED",
  ],
  [
    "hundreds of variables that are not declared",
    `{ ${each(190, (i) => `job(id: $v${i}) { id }`)} }`,
    "GRAPHQL_VALIDATION_FAILED",
  ],
  [
    "hundreds of variables that nobody uses",
    `query (${each(380, (i) => `$v${i}: ID`)}) { viewer { ownerId } }`,
    "GRAPHQL_VALIDATION_FAILED",
  ],
  ["hundreds of fields that are not there", `{ ${each(1_900, (i) => `jobz${i}`)} }`, "GRAPHQL_VALIDATION_FAILED"],
  [
    "lists in lists",
    `{ jobs(first: 100) { nodes { ${nodes(100, `job { ${nodes(100, "id")} }`)} } } }`,
    "COMPLEXITY_LIMIT_EXCEEDED",
  ],
  [
    "lists of the catalog in one another",
    `{ ${"operations { providers { ".repeat(7)} name ${"} }".repeat(7)} }`,
    "COMPLEXITY_LIMIT_EXCEEDED",
  ],
  [
    "fields that are deep",
    `{ job(id: "1") { ${"winner { job { ".repeat(60)} id ${"} }".repeat(60)} } }`,
    "DEPTH_LIMIT_EXCEEDED",
  ],
  [
    "the schema within the schema",
    `{ __schema { types { ${"fields { type { ".repeat(4)} name ${"} }".repeat(4)} } } }`,
    "GRAPHQL_VALIDATION_FAILED",
  ],
  [
    "the schema many times over",
    `{ ${each(50, (i) => `a${i}: __schema { types { fields { args { name } } inputFields { name } enumValues { name } possibleTypes { name } } }`)} }`,
    "COMPLEXITY_LIMIT_EXCEEDED",
  ],
];

it.each(bombs)("%s", async (_what, query, code) => {
  const [posted, sent] = await Promise.all([waysToSend.POST(server.url, { query }, "ann"), socket.ask({ query })]);
  for (const { codes, data } of [posted, sent]) {
    expect({ codes: [...new Set(codes)], data: data ?? null }).toEqual({ codes: [code], data: null });
    // A flood of errors would be a bomb of its own.
    expect(codes.length).toBeLessThanOrEqual(101);
  }
  expect(await socket.ask({ query: "{ viewer { ownerId } }" })).toMatchObject({ data: { viewer: { ownerId: "ann" } } });
});

it("variables with thousands of faults are answered with the first of them", async () => {
  const states = Array.from({ length: 20_000 }, (_, index) => `NO_STATE_${index}`);
  const query = "query ($filter: JobFilter) { jobs(filter: $filter) { nodes { id } } }";
  const { codes } = await socket.ask({ query, variables: { filter: { states } } });
  expect(new Set(codes)).toEqual(new Set(["BAD_USER_INPUT"]));
  expect(codes.length).toBeLessThanOrEqual(51);
});
