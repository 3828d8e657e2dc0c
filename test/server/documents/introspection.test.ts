/** A server that does not show its schema: by no question, no misspelt name and no page. What a type is called is part of an answer. */
import { getIntrospectionQuery } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiConfig } from "../../support/api-config.ts";
import { type ApiServer, startApiServer } from "../../support/api-server.ts";
import { everyWay, waysToSend } from "../../support/document-calls.ts";

let closed: ApiServer;
let open: ApiServer;
beforeAll(async () => {
  open = await startApiServer();
  const config = { ...apiConfig, http: { introspection: false, graphiql: false } };
  closed = await startApiServer({ config, databaseUrl: open.databaseUrl });
});
afterAll(async () => {
  await closed.stop();
  await open.stop();
});

const misspelt: readonly [string, string, object][] = [
  ["a field", "{ viewr { ownerId } }", {}],
  ["an argument", "{ jobs(frst: 1) { totalCount } }", {}],
  ["a type", "{ viewer { ... on Viewr { ownerId } } }", {}],
  ["a value", "{ jobs(filter: { states: [QUEUD] }) { totalCount } }", {}],
  ["a field of an input", "{ jobs(filter: { stats: [QUEUED] }) { totalCount } }", {}],
  [
    "a value in a variable",
    "query ($s: [JobState!]) { jobs(filter: { states: $s }) { totalCount } }",
    { s: ["QUEUD"] },
  ],
  ["a field in a variable", "query ($f: JobFilter) { jobs(filter: $f) { totalCount } }", { f: { stats: ["QUEUED"] } }],
];

describe.each(everyWay)("by %s", (way) => {
  const ask = (server: ApiServer, query: string, variables: object = {}) =>
    waysToSend[way](server.url, { query, variables }, "ann");

  it.each([
    "{ __schema { types { name } } }",
    '{ __type(name: "Job") { name } }',
    "{ ...A } fragment A on Query { __schema { queryType { name } } }",
    "query A { viewer { ownerId } __schema { description } }",
  ])("%s is refused", async (query) => {
    const { codes, data } = await ask(closed, query);
    expect({ codes: [...new Set(codes)], data: data ?? null }).toEqual({
      codes: ["INTROSPECTION_DISABLED"],
      data: null,
    });
    expect((await ask(open, query)).codes).toEqual([]);
  });

  it("GraphiQL's question is refused, and answered where the schema is shown", async () => {
    expect(new Set((await ask(closed, getIntrospectionQuery())).codes)).toEqual(new Set(["INTROSPECTION_DISABLED"]));
    expect((await ask(open, getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }))).codes).toEqual([]);
  });

  it("__typename is answered", async () => {
    const { data } = await ask(closed, "{ __typename viewer { __typename } }");
    expect(data).toEqual({ __typename: "Query", viewer: { __typename: "Viewer" } });
  });

  it.each(misspelt)("no message says what %s may have meant", async (_what, query, variables) => {
    const [hidden, told] = [await ask(closed, query, variables), await ask(open, query, variables)];
    expect(told.messages.join()).toContain("Did you mean");
    expect(hidden.codes).toEqual(told.codes);
    expect(hidden.messages.join()).not.toContain("Did you mean");
  });
});

it("shows no page, and says nothing about the schema in its place", async () => {
  const headers = { accept: "text/html,application/xhtml+xml" };
  const response = await fetch(`${closed.url}/graphql`, { headers });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  expect(await response.text()).not.toContain("GraphiQL");
});
