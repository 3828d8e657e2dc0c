/** What each `extensions.code` of a GraphQL error means to a caller. Refusals that are members of a union are the schema's to explain. */
import { code, heading, table } from "./markdown.ts";

/** In the order in which a call meets them. A test compares the codes with those that the sources give. */
export const meanings: Readonly<Record<string, string>> = {
  SERVER_STARTING: "The server is not ready yet (HTTP 503): ask again in a moment.",
  SERVER_SHUTDOWN: "The server is stopping (HTTP 503): ask again in a moment.",
  UNAUTHENTICATED:
    "No token, or one that is not known, has expired, or was made for others: the message and the header WWW-Authenticate say which (HTTP 401). A stream ends with it when its token does.",
  AUTHENTICATION_UNAVAILABLE:
    "Whoever issued the token does not answer, so it cannot be verified (HTTP 503; a WebSocket closes with 1013): ask again in a moment with the same token.",
  CONNECTION_LIMIT_EXCEEDED:
    "The server (HTTP 503, with Retry-After), or the owner's WebSockets on it (closed with 1013), are as many as it takes: try again later, or share a connection.",
  REQUEST_ENTITY_TOO_LARGE: "The body is over the limit (HTTP 413).",
  BAD_REQUEST:
    "The request is no GraphQL over HTTP: a body, or a parameter, that is not the JSON it should be (HTTP 400).",
  PERSISTED_DOCUMENT_NOT_FOUND:
    "The server's manifest has no document with the id that the call names (HTTP 404, or 200 in application/json): send the document itself, where the server takes others than its own.",
  PERSISTED_DOCUMENT_REQUIRED: "The server answers persisted documents alone, and the call names none.",
  DOCUMENT_TOO_LONG: "The document has more tokens than the limit: send values in variables, or split it.",
  GRAPHQL_PARSE_FAILED: "The document is no GraphQL, or nests too deep.",
  DEPTH_LIMIT_EXCEEDED: "The document asks for fields deeper within fields than the limit.",
  ALIAS_LIMIT_EXCEEDED:
    "The document has more aliases than the limit, with those of its fragments where they are spread.",
  INTROSPECTION_DISABLED:
    "The server does not show its schema: `__typename` is answered, `__schema` and `__type` are not.",
  GRAPHQL_VALIDATION_FAILED: "The document does not fit the schema.",
  OPERATION_RESOLUTION_FAILURE: "The document has several operations and none was named, or not the one that was.",
  COMPLEXITY_LIMIT_EXCEEDED:
    "The operation costs more than the limit, as limits.md counts it: ask for smaller pages, fewer lists within lists, or less of each item.",
  BAD_USER_INPUT:
    "Variables that do not fit, a page size over the limit, a cursor of another list, an instant that is none: no repetition makes it right.",
  FORBIDDEN:
    "The caller lacks the role, or asked for another owner's jobs, or has a token for one job, to which the field is closed. With HTTP 403: a form, a request without the header that the section on transports names, or, without configured tokens, a page of another site.",
  NOT_FOUND:
    "A subscription's job is not there, or is not the caller's to see. (A query answers null, a mutation with the refusal NotFound.) With HTTP 404: the path leads nowhere.",
  CURSOR_AHEAD: "jobEvents was asked for what follows an event that has not happened: start over from 0.",
  RESYNC:
    "jobsUpdated has ended, since changes may have gone unseen: subscribe again, then query jobs, and take the newer of two pictures of a job by lastEventNumber.",
  JOB_TOKENS_NOT_CONFIGURED:
    "createJobToken was called on a server whose configuration has no auth.jobTokens: there is nothing to sign with.",
  SUBSCRIPTION_LIMIT_EXCEEDED:
    "The connection, or the owner on this server, has as many subscriptions open as it may: this one alone is refused.",
  OPERATION_LIMIT_EXCEEDED:
    "A WebSocket has as many operations without an answer as it may: this one alone is refused, and was not begun.",
  OPERATION_NOT_BEGUN:
    "The connection was closed before it was the operation's turn, and nothing was done: only a proxy ever sees this.",
  ANSWER_TOO_LARGE:
    "The answer, or the event of a subscription, would be longer than the limit (HTTP 422 in application/graphql-response+json): ask for smaller pages, or for less of each item. A mutation has been carried out all the same, and a stream goes on.",
  OPERATION_TIMEOUT:
    "There was no result in time (HTTP 504 in application/graphql-response+json). It is not known whether a mutation was recorded: ask again with the same idempotency key, claim key or lease token.",
  RATE_LIMITED:
    "The owner has created as many jobs as the server allows within a span of time; nothing was written, and repeats of what was recorded still pass. Ask again with the same idempotency key after `retryAfterMs` (null: never all at once). Over HTTP also in Retry-After, and with 429 for application/graphql-response+json.",
  NOT_AVAILABLE_YET: "The schema promises the field, and this version does not carry it out.",
  DATABASE_UNAVAILABLE:
    "The database does not answer, so it is not known whether anything was recorded. Ask again with the same idempotency key, claim key or lease token: nothing happens twice.",
  INTERNAL_SERVER_ERROR: "A fault of the server's own; it is in the server's log, and no more is told.",
};

export function errorCodes(): string {
  const rows = Object.entries(meanings).map(([name, meaning]) => [code(name), meaning]);
  return [heading(3, "Error codes"), table(["extensions.code", "when"], rows)].join("\n\n");
}
