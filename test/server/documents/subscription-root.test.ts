/** Conditions at the root of a subscription are refused before they reach rules and executor, which break on them. */
import { GraphQLBoolean, GraphQLNonNull, GraphQLObjectType, GraphQLSchema } from "graphql";
import { createYoga } from "graphql-yoga";
import { expect, it } from "vitest";
import { defaultHttpSettings } from "../../../src/server/config/read-http.ts";
import { defaultLimits } from "../../../src/server/config/read-limits.ts";
import { useDocumentLimits } from "../../../src/server/documents/document-limits.ts";
import { loadPersistedDocuments } from "../../../src/server/documents/persisted-documents.ts";
import { useErrorCodes } from "../../../src/server/error-codes.ts";

const deep = new GraphQLObjectType({ name: "Deep", fields: { b: { type: GraphQLBoolean } } });
const fields = {
  a: {
    type: new GraphQLNonNull(deep),
    async *subscribe() {
      yield { a: { b: true } };
    },
  },
};
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: "Query", fields: { a: { type: deep, resolve: () => ({ b: true }) } } }),
  subscription: new GraphQLObjectType({ name: "Subscription", fields }),
});
const persisted = await loadPersistedDocuments(defaultHttpSettings, schema);
const judging = useDocumentLimits({ limits: defaultLimits, introspection: true, persisted });
const yoga = createYoga({ schema, plugins: [useErrorCodes(1_000), judging], logging: false });

async function ask(query: string): Promise<string> {
  const headers = { "content-type": "application/json", accept: "text/event-stream" };
  const body = JSON.stringify({ query, variables: { v: true } });
  return (await yoga.fetch("http://localhost/graphql", { method: "POST", headers, body })).text();
}

it.each([
  "subscription { a @skip(if: true) { b } }",
  "subscription ($v: Boolean!) { a @include(if: $v) { b } }",
  "subscription { ... @include(if: true) { a { b } } }",
  "subscription { ... on Subscription { a @skip(if: false) { b } } }",
  "subscription { ...F @skip(if: false) } fragment F on Subscription { a { b } }",
  "subscription { ...F } fragment F on Subscription { a @skip(if: true) { b } }",
  "subscription { ...F } fragment F on Subscription { ...F a @skip(if: true) { b } }",
])("%s is refused with a code", async (query) => {
  expect(await ask(query)).toContain('"code":"GRAPHQL_VALIDATION_FAILED"');
});

it.each([
  "subscription ($v: Boolean!) { a { b @include(if: $v) } }",
  "subscription ($v: Boolean!) { ...F } fragment F on Subscription { a { b @include(if: $v) } }",
  "query ($v: Boolean!) { a @include(if: $v) { b } }",
])("%s is answered", async (query) => {
  expect(await ask(query)).toContain('{"data":{"a":{"b":true}}}');
});
