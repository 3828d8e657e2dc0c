/** Gives the errors that GraphQL itself raises a code and a status, over HTTP and WebSocket alike. It masks nothing. */
import { GraphQLError, type GraphQLFormattedError } from "graphql";
import type { Plugin } from "graphql-yoga";

/** Who calls is not known: no token, or a wrong one. The challenge is what RFC 6750 wants beside the status 401. */
export function unauthenticated(message: string): GraphQLError {
  const http = { status: 401, headers: { "www-authenticate": "Bearer" } };
  return new GraphQLError(message, { extensions: { code: "UNAUTHENTICATED", http } });
}

export function forbiddenOrigin(): GraphQLError {
  const message =
    "Without configured authentication this server answers its own machine alone, and no page of another site.";
  return new GraphQLError(message, { extensions: { code: "FORBIDDEN", http: { status: 403 } } });
}

/** The document has no operation of the name, or several and no name was given. Over HTTP, Yoga answers the same. */
export function unknownOperation(): GraphQLError {
  return new GraphQLError("Could not determine what operation to execute.", {
    extensions: { code: "OPERATION_RESOLUTION_FAILURE" },
  });
}

/** What the transports keep to themselves: hints to the HTTP server, and the mark of a masked error. */
const internalExtensions: ReadonlySet<string> = new Set(["http", "unexpected"]);

/** An error as clients of a WebSocket see it; over HTTP, Yoga does the same. */
export function publicError(error: GraphQLError): GraphQLFormattedError {
  const { extensions = {}, ...formatted } = error.toJSON();
  const shown = Object.entries(extensions).filter(([name]) => !internalExtensions.has(name));
  return shown.length === 0 ? formatted : { ...formatted, extensions: Object.fromEntries(shown) };
}

function giveCode(error: unknown, code: string): void {
  if (error instanceof GraphQLError) error.extensions["code"] ??= code;
}

/** What fails before the first resolver: variables that do not fit, an operation that the document does not have. */
function codeFailedStart(result: object): void {
  if (!("errors" in result) || !Array.isArray(result.errors)) return;
  for (const error of result.errors)
    if (error instanceof GraphQLError && error.path === undefined) giveCode(error, "BAD_USER_INPUT");
}

export function useErrorCodes(): Plugin {
  return {
    onParse:
      () =>
      ({ result }) => {
        giveCode(result, "GRAPHQL_PARSE_FAILED");
      },
    onValidate:
      () =>
      ({ result }) => {
        for (const error of result) giveCode(error, "GRAPHQL_VALIDATION_FAILED");
      },
    onExecute: () => ({ onExecuteDone: ({ result }) => codeFailedStart(result) }),
    onSubscribe: () => ({ onSubscribeResult: ({ result }) => codeFailedStart(result) }),
    // What is refused before it is GraphQL at all: a form, a body that is no JSON, a request without a query.
    onResultProcess({ result }) {
      if (Array.isArray(result) || !("errors" in result)) return;
      for (const error of result.errors ?? []) {
        const status = error.extensions.http?.status ?? 200;
        if (status >= 400 && status < 500) giveCode(error, status === 403 ? "FORBIDDEN" : "BAD_USER_INPUT");
        // What a parser of Yoga's said about the body: the message has said it.
        delete error.extensions["originalError"];
      }
    },
  };
}
