/** The headers that tell browsers what an answer is not for: on every answer, whoever wrote it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningServer, startServer } from "../../src/server/compose.ts";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { guardedConfig, tokens } from "./fixtures/print-config.ts";

let database: TestDatabase;
let server: RunningServer;
beforeAll(async () => {
  database = await createMigratedDatabase();
  server = await startServer({ config: guardedConfig, port: 0, databaseUrl: database.url });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const json = { "content-type": "application/json" };
const known = { ...json, authorization: `Bearer ${tokens.ann}` };
const post = (query: string, headers: Record<string, string> = known) => ({
  method: "POST",
  headers,
  body: JSON.stringify({ query }),
});

const answers: readonly (readonly [string, number, string, RequestInit])[] = [
  ["a result", 200, "/graphql", post("{ viewer { ownerId } }")],
  ["a refusal of the API", 401, "/graphql", post("{ viewer { ownerId } }", json)],
  ["a request that is no GraphQL", 400, "/graphql", { method: "POST", headers: known, body: "{" }],
  ["a method that there is not", 405, "/graphql", { method: "DELETE", headers: known }],
  [
    "what a stream begins with",
    200,
    "/graphql",
    post("subscription { jobsUpdated { id } }", { ...known, accept: "text/event-stream" }),
  ],
  ["health", 200, "/health/live", {}],
  ["readiness", 200, "/health/ready", {}],
  ["the way to the API", 302, "/", { redirect: "manual" }],
  ["a path that leads nowhere", 404, "/nothing", {}],
  ["GraphiQL", 200, "/graphql", { headers: { accept: "text/html" } }],
];

it.each(answers)("%s is no page to frame, to guess at or to keep", async (_what, status, path, init) => {
  const leaving = new AbortController();
  const { headers, ...response } = await fetch(`${server.url}${path}`, { ...init, signal: leaving.signal }).then(
    (answer) => ({ status: answer.status, headers: answer.headers }),
  );
  leaving.abort();
  expect(response.status).toBe(status);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-security-policy": expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": expect.stringMatching(/^no-(store|cache)$/),
  });
  for (const name of ["server", "x-powered-by", "strict-transport-security"]) expect(headers.get(name)).toBeNull();
});

it("lets GraphiQL's page run the scripts that it came with, and no others; an answer of the API runs none", async () => {
  const policyOf = async (init: RequestInit) =>
    (await fetch(`${server.url}/graphql`, init)).headers.get("content-security-policy") ?? "";
  const scripts = /script-src ([^;]*)/.exec(await policyOf({ headers: { accept: "text/html" } }))?.[1] ?? "";
  expect(scripts).toMatch(/^'sha256-[\w+/]{43}='( 'sha256-[\w+/]{43}=')*$/);
  expect(await policyOf(post("{ viewer { ownerId } }"))).not.toContain("script-src");
});
