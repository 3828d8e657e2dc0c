/** What callers see of an error that nobody meant for them: that the database is away, or nothing at all. It logs nothing. */
import { GraphQLError } from "graphql";
import { maskError as maskUnexpected } from "graphql-yoga";
import { codesOf } from "./explain-database-fault.ts";

/** SQLSTATEs of a server that is stopping, starting, full, gone or busy with a row for too long, and what Node and postgres.js call a lost connection. */
const awayCodes =
  /^(08...|3D000|53...|55P03|57P0.|CONNECTION_\w+|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/;

function isDatabaseAway(error: unknown): boolean {
  const cause = error instanceof GraphQLError ? error.originalError : error;
  return codesOf(cause).some((code) => awayCodes.test(code));
}

/** A caller may always ask again: whatever was recorded is found under the same key, claim key or lease token. */
const message =
  "The database does not answer at the moment, so it is not known whether this was recorded. Ask again with the same idempotency key, claim key or lease token: nothing happens twice.";

/**
 * GraphQL itself raises errors about a value that is not what the schema says, such as a list that is none. They have a
 * place in the answer and no code; what is meant for callers has one, from errors.ts or error-codes.ts.
 */
function isAboutAnswer(error: unknown): error is GraphQLError {
  return error instanceof GraphQLError && error.path !== undefined && error.extensions["code"] === undefined;
}

/** Yoga masks what a plain error has caused, and nothing that GraphQL raised. */
function asPlain(error: unknown): unknown {
  if (!isAboutAnswer(error)) return error;
  const { nodes = null, path = null } = error;
  return new GraphQLError(error.message, { nodes, path, originalError: new Error(error.message) });
}

export function maskError(error: unknown, fallback: string, isDev?: boolean): Error {
  if (!isDatabaseAway(error)) return maskUnexpected(asPlain(error), fallback, isDev);
  // `unexpected` has it logged, as every masked error is.
  const extensions = { code: "DATABASE_UNAVAILABLE", unexpected: true };
  const { nodes = null, path = null } = error instanceof GraphQLError ? error : {};
  return new GraphQLError(message, { nodes, path, extensions, originalError: error instanceof Error ? error : null });
}
