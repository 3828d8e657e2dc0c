/** Gives the errors that GraphQL itself raises a code and a status, over HTTP and WebSocket alike. It masks nothing. */
import { GraphQLError, type GraphQLFormattedError, Kind } from "graphql";
import { handleStreamOrSingleExecutionResult, type Plugin } from "graphql-yoga";

/**
 * Who calls is not known: no token, or one that does not do. The challenge is what RFC 6750 wants beside the status 401;
 * `fault` says what is wrong with a token, in plain ASCII without quotes.
 */
export function unauthenticated(message: string, fault?: string): GraphQLError {
  const challenge = fault === undefined ? "Bearer" : `Bearer error="invalid_token", error_description="${fault}"`;
  const http = { status: 401, headers: { "www-authenticate": challenge } };
  return new GraphQLError(message, { extensions: { code: "UNAUTHENTICATED", http } });
}

/** Whether the token is good cannot be told at the moment, which is no fault of the caller's. */
export function authenticationUnavailable(): GraphQLError {
  const message =
    "Whoever issued the token does not answer, so it cannot be verified: keep the token, and ask again in a moment.";
  const http = { status: 503, headers: { "retry-after": "1" } };
  return new GraphQLError(message, { extensions: { code: "AUTHENTICATION_UNAVAILABLE", http } });
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

/**
 * What fails before a resolver: variables that do not fit, an operation that the document does not have, an argument that
 * a variable leaves without a value. Such an error names no place in the answer, or points at a value in the document;
 * what goes wrong with an answer points at its field or nowhere, and is not the caller's fault.
 */
function isCallersFault({ path, nodes }: GraphQLError): boolean {
  return path === undefined || (nodes?.[0] !== undefined && nodes[0].kind !== Kind.FIELD);
}

function codeFaultsOfCalls({ result }: { readonly result: { readonly errors?: readonly GraphQLError[] } }): void {
  for (const error of result.errors ?? []) if (isCallersFault(error)) giveCode(error, "BAD_USER_INPUT");
}

/** Yoga reads the `variables` and `extensions` of an address without catching what is no JSON. */
function malformedAddress(error: unknown): never {
  if (!(error instanceof SyntaxError)) throw error;
  const extensions = { code: "BAD_REQUEST", http: { status: 400 } };
  throw new GraphQLError("The variables and extensions in an address are JSON, and these are not.", { extensions });
}

/** What libraries say of a request without saying how to mend it. `bodyBytes` is the limit of a body. */
function plainly(code: unknown, bodyBytes: number): string | null {
  if (code === "REQUEST_ENTITY_TOO_LARGE")
    return `The body has more than ${bodyBytes.toLocaleString("en")} bytes: send less at once.`;
  // Where a page of another site, or somebody without the role, is refused, the code is there already.
  if (code === undefined)
    return "A GET, and a body that a form could send, need the header x-onejob-csrf (any value) beside it. A POST with content-type: application/json does not.";
  return null;
}

export function useErrorCodes(bodyBytes: number): Plugin {
  return {
    onRequestParse({ requestParser, setRequestParser }) {
      if (requestParser !== undefined)
        setRequestParser(async (request) => {
          try {
            return await requestParser(request);
          } catch (error) {
            return malformedAddress(error);
          }
        });
    },
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
    onExecute: () => ({
      onExecuteDone: (payload) => handleStreamOrSingleExecutionResult(payload, codeFaultsOfCalls),
    }),
    // Each event of a subscription is executed by itself, with the same variables.
    onSubscribe: () => ({
      onSubscribeResult: (payload) => handleStreamOrSingleExecutionResult(payload, codeFaultsOfCalls),
    }),
    // What is refused before it is GraphQL at all: a form, a body that is no JSON, a request without a query.
    onResultProcess({ result }) {
      if (Array.isArray(result) || !("errors" in result)) return;
      for (const error of result.errors ?? []) {
        // GraphQL over HTTP has 200 for well-formed requests in application/json, and this was none.
        if (error.extensions["code"] === "BAD_REQUEST") delete error.extensions.http?.spec;
        const status = error.extensions.http?.status ?? 200;
        const { code } = error.extensions;
        if (status === 413 || status === 403) error.message = plainly(code, bodyBytes) ?? error.message;
        if (status >= 400 && status < 500) giveCode(error, status === 403 ? "FORBIDDEN" : "BAD_USER_INPUT");
        // What a parser of Yoga's said about the body: the message has said it.
        delete error.extensions["originalError"];
      }
    },
  };
}
