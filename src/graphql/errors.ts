/** GraphQL errors with a code, for what belongs to no mutation's union. Refusals that a caller can act on are in refusals.ts. */
import { type ASTNode, GraphQLError } from "graphql";

function codedError(code: string, message: string, at?: ASTNode): GraphQLError {
  return new GraphQLError(message, { extensions: { code }, ...(at && { nodes: at }) });
}

/** The caller lacks a role for this. */
export function forbidden(message: string): GraphQLError {
  return codedError("FORBIDDEN", message);
}

/** An argument that no repetition makes right: a page size, a cursor, an instant. `at` is its place in the document, where only the caller of this knows it. */
export function badUserInput(message: string, at?: ASTNode): GraphQLError {
  return codedError("BAD_USER_INPUT", message, at);
}

export function notFound(message: string): GraphQLError {
  return codedError("NOT_FOUND", message);
}

/** `jobEvents(after:)` names an event that has not happened: the caller's number belongs to another job or database. */
export function cursorAhead(message: string): GraphQLError {
  return codedError("CURSOR_AHEAD", message);
}

/** The stream may have missed changes and is over: what it follows must be queried again, and the stream started anew. */
export function resync(): GraphQLError {
  return codedError(
    "RESYNC",
    "The live feed was interrupted, and changes may have gone unseen: subscribe again, then query jobs.",
  );
}

/** Nobody has configured what such a token would be signed with. */
export function jobTokensNotConfigured(): GraphQLError {
  return codedError(
    "JOB_TOKENS_NOT_CONFIGURED",
    "This server signs no tokens for jobs: configure auth.jobTokens.secret, the same on every server (openssl rand -base64 48 makes one).",
  );
}

/**
 * The owner has created as many jobs as the limit allows; `retryAfterMs` is null where waiting does not help. Over HTTP it
 * says so in Retry-After, and with 429 to whoever accepts application/graphql-response+json (`spec`: in application/json
 * GraphQL's own errors have 200). Not enumerable: these are hints to the HTTP server alone.
 */
export function rateLimited(message: string, retryAfterMs: number | null): GraphQLError {
  const error = codedError("RATE_LIMITED", message);
  error.extensions["retryAfterMs"] = retryAfterMs;
  const headers = retryAfterMs === null ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) };
  Object.defineProperty(error.extensions, "http", { value: { status: 429, spec: true, headers }, enumerable: false });
  return error;
}

/** The schema promises this field already; this version does not keep the promise yet, and says so. */
export function notAvailableYet(field: string): GraphQLError {
  return codedError(
    "NOT_AVAILABLE_YET",
    `${field} is not available yet: this version of Onejob does not carry it out.`,
  );
}

/**
 * For an error thrown where a subscription starts: over Server-Sent Events it would answer with the status 500, as if the
 * server were at fault. The status is a hint to the HTTP server alone, hence not enumerable: no client ever reads it.
 */
export function refuseSubscription(error: GraphQLError): GraphQLError {
  Object.defineProperty(error.extensions, "http", { value: { status: 200 }, enumerable: false });
  return error;
}
