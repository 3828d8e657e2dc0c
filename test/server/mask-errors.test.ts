/** What callers are told of an error that was not meant for them: that the database is away and to ask again, or nothing. */
import {
  GraphQLError,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLUnionType,
} from "graphql";
import { createYoga } from "graphql-yoga";
import { expect, test } from "vitest";
import { useErrorCodes } from "../../src/server/error-codes.ts";
import { maskError } from "../../src/server/mask-errors.ts";

/** As a resolver's error arrives: wrapped by GraphQL, and before that perhaps by Drizzle. */
function thrownWith(code: string): GraphQLError {
  const cause = Object.assign(new Error("secret statement"), { code });
  const originalError = new Error("Failed query: secret statement", { cause });
  return new GraphQLError(originalError.message, { originalError, path: ["createJob"] });
}

function mask(error: unknown): Partial<GraphQLError> {
  return maskError(error, "Unexpected error.", false);
}

test.each([
  "57P01",
  "57P03",
  "08006",
  "53300",
  "55P03",
  "3D000",
  "CONNECTION_CLOSED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
])("a database that is away (%s) is said to be, and that the same key is safe", (code) => {
  const masked = mask(thrownWith(code));
  expect(masked.extensions).toMatchObject({ code: "DATABASE_UNAVAILABLE" });
  expect(masked.message).toContain("same idempotency key");
  expect(masked.message).not.toContain("secret");
  expect(masked.path).toEqual(["createJob"]);
});

test.each(["42P01", "23505", "OJ007"])("a fault of ours (%s) is told as nothing but unexpected", (code) => {
  const masked = mask(thrownWith(code));
  expect(masked.message).toBe("Unexpected error.");
  expect(masked.extensions).toMatchObject({ code: "INTERNAL_SERVER_ERROR" });
});

test("an error that was meant for the caller passes as it is", () => {
  const meant = new GraphQLError("No such role.", { extensions: { code: "FORBIDDEN" } });
  expect(mask(meant)).toBe(meant);
});

const broken = new GraphQLScalarType({
  name: "Broken",
  serialize: () => {
    throw new GraphQLError("secret value");
  },
});
const member = new GraphQLObjectType({ name: "Member", fields: { n: { type: GraphQLInt } } });
const union = new GraphQLUnionType({ name: "Union", types: [member], resolveType: () => "Stranger" });

/** A server whose every field answers with what its type does not allow. */
const faulty = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: "Query",
    fields: {
      list: { type: new GraphQLList(GraphQLInt), resolve: () => "secret value" },
      int: { type: GraphQLInt, resolve: () => "secret value" },
      missing: { type: new GraphQLNonNull(GraphQLInt), resolve: () => null },
      scalar: { type: broken, resolve: () => 1 },
      union: { type: union, resolve: () => ({}) },
      page: { type: GraphQLInt, args: { first: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 1 } } },
    },
  }),
});

async function askFaulty(query: string) {
  const logged: unknown[] = [];
  const silent = () => {};
  const yoga = createYoga({
    schema: faulty,
    maskedErrors: { errorMessage: "Unexpected error.", isDev: false, maskError },
    logging: { debug: silent, info: silent, warn: silent, error: (error: unknown) => logged.push(error) },
    plugins: [useErrorCodes(1_000)],
  });
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ query, variables: { none: null } });
  const response = await yoga.fetch("http://localhost/graphql", { method: "POST", headers, body });
  const { errors } = (await response.json()) as { errors: { message: string; extensions: { code: string } }[] };
  return { errors, logged };
}

test.each(["{ list }", "{ int }", "{ missing }", "{ scalar }", "{ union { ... on Member { n } } }"])(
  "%s: what GraphQL finds wrong with an answer is masked and logged as any fault of ours",
  async (query) => {
    const { errors, logged } = await askFaulty(query);
    expect(errors).toMatchObject([
      { message: "Unexpected error.", extensions: { code: "INTERNAL_SERVER_ERROR" }, path: [query.split(" ")[1]] },
    ]);
    expect(logged).toHaveLength(1);
  },
);

test("what GraphQL finds wrong with an argument is the caller's to read, with a code", async () => {
  const { errors, logged } = await askFaulty("query ($none: Int = 1) { page(first: $none) }");
  expect(errors).toMatchObject([{ extensions: { code: "BAD_USER_INPUT" }, path: ["page"] }]);
  expect(errors[0]?.message).toContain("must not be null");
  expect(logged).toEqual([]);
});
