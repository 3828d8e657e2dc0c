/** What each `extensions.code` of a GraphQL error means to a caller. Refusals that are members of a union are the schema's to explain. */
import { code, heading, table } from "./markdown.ts";

/** In the order in which a call meets them. A test compares the codes with those that the sources give. */
export const meanings: Readonly<Record<string, string>> = {
  SERVER_STARTING: "The server is not ready yet (HTTP 503): ask again in a moment.",
  SERVER_SHUTDOWN: "The server is stopping (HTTP 503): ask again in a moment.",
  UNAUTHENTICATED: "No token, or one that is not known (HTTP 401).",
  REQUEST_ENTITY_TOO_LARGE: "The body is over the limit (HTTP 413).",
  BAD_REQUEST:
    "The request is no GraphQL over HTTP: a body, or a parameter, that is not the JSON it should be (HTTP 400).",
  GRAPHQL_PARSE_FAILED: "The document is no GraphQL, or nests too deep.",
  GRAPHQL_VALIDATION_FAILED: "The document does not fit the schema.",
  OPERATION_RESOLUTION_FAILURE: "The document has several operations and none was named, or not the one that was.",
  BAD_USER_INPUT:
    "Variables that do not fit, a page size over the limit, a cursor of another list, an instant that is none: no repetition makes it right.",
  FORBIDDEN:
    "The caller lacks the role, or asked for another owner's jobs. With HTTP 403: a form, a request without the header that the section on transports names, or, without configured tokens, a page of another site.",
  NOT_FOUND:
    "A subscription's job is not there, or is not the caller's to see. (A query answers null, a mutation with the refusal NotFound.) With HTTP 404: the path leads nowhere.",
  CURSOR_AHEAD: "jobEvents was asked for what follows an event that has not happened: start over from 0.",
  RESYNC:
    "jobsUpdated has ended, since changes may have gone unseen: subscribe again, then query jobs, and take the newer of two pictures of a job by lastEventNumber.",
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
