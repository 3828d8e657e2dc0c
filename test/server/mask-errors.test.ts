/** What callers are told of an error that was not meant for them: that the database is away and to ask again, or nothing. */
import { GraphQLError } from "graphql";
import { expect, test } from "vitest";
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

test.each(["57P01", "57P03", "08006", "53300", "3D000", "CONNECTION_CLOSED", "CONNECT_TIMEOUT", "ECONNREFUSED"])(
  "a database that is away (%s) is said to be, and that the same key is safe",
  (code) => {
    const masked = mask(thrownWith(code));
    expect(masked.extensions).toMatchObject({ code: "DATABASE_UNAVAILABLE" });
    expect(masked.message).toContain("same idempotency key");
    expect(masked.message).not.toContain("secret");
    expect(masked.path).toEqual(["createJob"]);
  },
);

test.each(["42P01", "23505", "OJ007"])("a fault of ours (%s) is told as nothing but unexpected", (code) => {
  const masked = mask(thrownWith(code));
  expect(masked.message).toBe("Unexpected error.");
  expect(masked.extensions).toMatchObject({ code: "INTERNAL_SERVER_ERROR" });
});

test("an error that was meant for the caller passes as it is", () => {
  const meant = new GraphQLError("No such role.", { extensions: { code: "FORBIDDEN" } });
  expect(mask(meant)).toBe(meant);
});
