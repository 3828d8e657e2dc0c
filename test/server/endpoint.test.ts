/** The endpoint over HTTP: who is let in, what is refused, and with which codes. What the fields answer is not looked at. */
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningServer, startServer } from "../../src/server/compose.ts";
import { defaultLimits } from "../../src/server/config/read-limits.ts";
import { createLog } from "../../src/server/log.ts";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { guardedConfig, printConfig, tokens } from "./fixtures/print-config.ts";

let database: TestDatabase;
let guarded: RunningServer;
let open: RunningServer;

beforeAll(async () => {
  database = await createMigratedDatabase();
  const start = (config: typeof printConfig) => startServer({ config, port: 0, databaseUrl: database.url });
  [guarded, open] = await Promise.all([start(guardedConfig), start(printConfig)]);
});
afterAll(async () => {
  await Promise.all([guarded.stop(), open.stop()]);
  await database.drop();
});

const viewerQuery = "{ viewer { ownerId } }";
const json = { "content-type": "application/json" };

async function post(
  server: RunningServer,
  headers: Record<string, string>,
  body: string = JSON.stringify({ query: viewerQuery }),
) {
  const response = await fetch(`${server.url}/graphql`, { method: "POST", headers, body });
  const answer = (await response.json()) as {
    data?: unknown;
    errors?: { message: string; extensions: { code?: string } }[];
  };
  return {
    status: response.status,
    headers: response.headers,
    data: answer.data,
    code: answer.errors?.[0]?.extensions.code,
    message: answer.errors?.[0]?.message,
  };
}

it("answers a call with a known token in its owner's name", async () => {
  const { status, data } = await post(guarded, { ...json, authorization: `Bearer ${tokens.ann}` });
  expect({ status, data }).toEqual({ status: 200, data: { viewer: { ownerId: "ann" } } });
});

const unknownToken = 'Bearer error="invalid_token", error_description="Token not known"';

it.each([
  [{}, "Bearer"],
  [{ authorization: "Bearer token-of-nobody-01" }, unknownToken],
  [{ authorization: tokens.ann }, unknownToken],
])("answers 401 to %j", async (headers, challenge) => {
  const answer = await post(guarded, { ...json, ...headers });
  expect(answer).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
  expect(answer.headers.get("www-authenticate")).toBe(challenge);
  expect(answer.message).toMatch(/Bearer TOKEN/);
});

it("takes no forms and no other origin's requests", async () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  expect(await post(open, form, "query={viewer{ownerId}}")).toMatchObject({
    status: 403,
    code: "FORBIDDEN",
    message: expect.stringContaining("need the header x-onejob-csrf"),
  });
  const preflight = await fetch(`${open.url}/graphql`, {
    method: "OPTIONS",
    headers: { origin: "https://elsewhere.example", "access-control-request-method": "POST" },
  });
  expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
});

it("without authentication, answers this machine alone", async () => {
  expect(await post(open, { ...json, origin: "https://elsewhere.example" })).toMatchObject({
    status: 403,
    code: "FORBIDDEN",
  });
  expect(await post(open, { ...json, origin: "null" })).toMatchObject({ status: 403 });
  expect(await post(open, { ...json, origin: "http://localhost:5173" })).toMatchObject({ status: 200 });
});

it("refuses a body over the limit with 413", async () => {
  const body = JSON.stringify({ query: viewerQuery, variables: { text: "x".repeat(defaultLimits.bodyBytes) } });
  expect(await post(open, json, body)).toMatchObject({
    status: 413,
    code: "REQUEST_ENTITY_TOO_LARGE",
    message: `The body has more than ${defaultLimits.bodyBytes.toLocaleString("en")} bytes: send less at once.`,
  });
});

it.each([
  ["{", "GRAPHQL_PARSE_FAILED"],
  ["{ nothing }", "GRAPHQL_VALIDATION_FAILED"],
  ["query ($n: Int!) { jobs(first: $n) { nodes { id } } }", "BAD_USER_INPUT"],
])("gives a code to what is wrong with %j", async (query, code) => {
  expect(await post(open, json, JSON.stringify({ query }))).toMatchObject({ code });
});

/** Both media types of GraphQL over HTTP: only the newer one tells by the status that a well-formed request has failed. */
it.each([
  ["no JSON", "{", 400, 400],
  ["a text that is no object", '"{ viewer { ownerId } }"', 400, 400],
  ["no query", "{}", 400, 400],
  ["an empty body", "", 400, 400],
  ["a document that cannot be parsed", JSON.stringify({ query: "{" }), 200, 400],
  ["a document that nests too deep", JSON.stringify({ query: "{a".repeat(700) + "}".repeat(700) }), 200, 400],
])(
  "%s is no fault of the server, and its status says what GraphQL over HTTP says",
  async (_what, body, older, newer) => {
    for (const [accept, status] of [
      ["application/json", older],
      ["application/graphql-response+json", newer],
    ] as const) {
      const answer = await post(open, { ...json, accept }, body);
      expect({ status: answer.status, hasCode: typeof answer.code }, accept).toEqual({ status, hasCode: "string" });
      expect(answer.code).not.toBe("INTERNAL_SERVER_ERROR");
    }
  },
);

it.each(["variables", "extensions"])("a GET whose %s are no JSON is refused with 400", async (name) => {
  const query = new URLSearchParams({ query: viewerQuery, [name]: "{" });
  const response = await fetch(`${open.url}/graphql?${query}`, { headers: { "x-onejob-csrf": "1" } });
  expect({ status: response.status, answer: await response.json() }).toMatchObject({
    status: 400,
    answer: { errors: [{ extensions: { code: "BAD_REQUEST" } }] },
  });
});

it("carries out no mutation by GET", async () => {
  const query = new URLSearchParams({
    query: 'mutation { resumeProvider(input: { provider: "inkjet" }) { __typename } }',
  });
  const response = await fetch(`${open.url}/graphql?${query}`, { headers: { "x-onejob-csrf": "1" } });
  expect({ status: response.status, answer: await response.json() }).toMatchObject({
    status: 405,
    answer: { errors: [{ extensions: { code: "BAD_REQUEST" } }] },
  });
});

it("shows browsers GraphiQL, whole and without a CDN", async () => {
  const response = await fetch(`${guarded.url}/graphql`, { headers: { accept: "text/html" } });
  const page = await response.text();
  expect(response.status).toBe(200);
  expect(page).toContain("YogaGraphiQL");
  expect(page).toContain("mutation CreateJob");
  expect(page).not.toMatch(/<(script|link)[^>]+(src|href)="https?:/);
});

it("tells what lives, what is ready and what is not there", async () => {
  const statusOf = async (path: string) => (await fetch(`${open.url}${path}`, { redirect: "manual" })).status;
  expect(await statusOf("/health/live")).toBe(200);
  expect(await statusOf("/health/ready")).toBe(200);
  expect(await statusOf("/")).toBe(302);
  expect(await statusOf("/nothing")).toBe(404);
});

it("shows no statement, no stack and no input when the database fails, nor logs them", async () => {
  const broken = await createMigratedDatabase();
  const lines: string[] = [];
  const log = createLog({ level: "debug", format: "json", write: (line) => lines.push(line) });
  const server = await startServer({ config: printConfig, port: 0, databaseUrl: broken.url, log });
  const sql = postgres(broken.url, { max: 1 });
  await sql`alter table jobs rename to mislaid`;
  await sql.end();
  const secret = "a-text-that-nobody-else-may-read";
  const queries = [
    'mutation ($text: String!) { createJob(input: { idempotencyKey: $text, operation: "print", input: { text: $text } }) { __typename } }',
    "query ($text: String!) { jobs(filter: { idempotencyKey: $text }) { nodes { id } } }",
  ];
  for (const query of queries) {
    const body = JSON.stringify({ query, variables: { text: secret } });
    const response = await fetch(`${server.url}/graphql`, { method: "POST", headers: json, body });
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({
      errors: [{ message: "Unexpected error.", extensions: { code: "INTERNAL_SERVER_ERROR" } }],
    });
    expect(text).not.toMatch(/relation|select|at .*\.ts/i);
  }
  await server.stop();
  const logged = lines.filter((line) => line.includes("unexpected-error"));
  expect(logged).toHaveLength(queries.length);
  expect(logged.join("")).toContain("42P01");
  expect(lines.join("")).not.toContain(secret);
});
