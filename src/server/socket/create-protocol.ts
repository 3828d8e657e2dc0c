/** The protocol graphql-transport-ws over the HTTP endpoint's engine: who may connect, what an operation is given, how errors show. */
import { type DocumentNode, type ExecutionArgs, GraphQLError, type GraphQLSchema, getOperationAST } from "graphql";
import { type Context, type ExecutionResult, makeServer, type Server, type SubscribePayload } from "graphql-ws";
import { isAsyncIterable } from "graphql-yoga";
import type { Authenticator } from "../auth/authenticator.ts";
import { recogniseCaller } from "../auth/recognise-caller.ts";
import type { HttpSettings } from "../config/read-http.ts";
import type { Limits } from "../config/read-limits.ts";
import { withEmptyQuery } from "../documents/name-document.ts";
import type { PersistedDocuments } from "../documents/persisted-documents.ts";
import { publicError, unknownOperation } from "../error-codes.ts";
import type { GraphqlEndpoint } from "../graphql-endpoint.ts";
import type { ServerLog } from "../log.ts";
import { createContext, type ServerParts } from "../request-context.ts";
import { type Identity, identify, viewerOfConnection } from "./connection-viewer.ts";
import { connectionLimitExceeded, operationLimitExceeded, tooManySockets } from "./limit-errors.ts";
import { type IdUses, reusingIds } from "./reuse-ids.ts";
import { type Send, sendResults } from "./send-results.ts";
import { readConnectionHeaders, readHeaders, type SocketHeaders } from "./socket-headers.ts";
import type { SocketLoad } from "./socket-load.ts";

/** What is kept with a connection. */
export interface Kept extends Identity, Record<PropertyKey, unknown> {
  readonly load: SocketLoad;
  readonly send: Send;
}

export type Protocol = Server<Kept>;
type Connection = Context<Record<string, unknown>, Kept>;

/** Yoga's engine with the types of graphql-js, which it leaves out. */
interface Engine {
  readonly schema: GraphQLSchema;
  readonly parse: (text: string) => DocumentNode;
  readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[];
  readonly execute: (args: ExecutionArgs) => Promise<ExecutionResult>;
  readonly subscribe: (args: ExecutionArgs) => Promise<ExecutionResult | AsyncIterable<ExecutionResult>>;
}

export interface ProtocolOptions {
  readonly endpoint: GraphqlEndpoint;
  readonly parts: ServerParts;
  readonly authenticator: Authenticator;
  readonly log: ServerLog;
  readonly limits: Limits;
  readonly http: HttpSettings;
  readonly persisted: PersistedDocuments;
}

/** Read once. What is no JSON, or a text in JSON, the library takes as it is, and says so. */
function parsed(data: string): unknown {
  try {
    const message: unknown = JSON.parse(data);
    return typeof message === "string" ? data : message;
  } catch {
    return data;
  }
}

/** What the library does not allow for: operations that name their document and come without a text, and ids used again. */
function allowingMore(protocol: Protocol): Protocol {
  return {
    opened(socket, extra) {
      let ids: IdUses | null = null;
      const onMessage: typeof socket.onMessage = (handle) => {
        // It takes messages that are parsed already, though its type asks for texts.
        const uses = reusingIds(handle as (message: unknown) => Promise<void>, (code, reason) =>
          extra.close(code, reason),
        );
        ids = uses;
        socket.onMessage((data) => uses.handle(withEmptyQuery(parsed(data))));
      };
      const closed = protocol.opened({ ...socket, onMessage }, extra);
      return (code, reason) => {
        ids?.close();
        return closed(code, reason);
      };
    },
  };
}

function publicResult({ data, errors, extensions }: ExecutionResult) {
  return {
    ...(data === undefined ? {} : { data }),
    ...(errors === undefined ? {} : { errors: errors.map(publicError) }),
    ...(extensions === undefined ? {} : { extensions }),
  };
}

export function createProtocol({ endpoint, parts, authenticator, log, persisted }: ProtocolOptions): Protocol {
  const engine = (): Engine => endpoint.getEnveloped({}) as Engine;

  async function contextFor({ connectionParams, extra }: Connection, payload: SubscribePayload) {
    // GraphiQL sends its headers with each operation, not with the connection.
    const own = readHeaders(payload.extensions?.["headers"]);
    const { authorization } = own;
    const viewer =
      authorization === undefined ? viewerOfConnection(extra) : await recogniseCaller(authenticator, authorization);
    const headers: SocketHeaders = { ...readConnectionHeaders(connectionParams), ...own };
    const headerLines = (name: string) => (headers[name] === undefined ? [] : [headers[name]]);
    if (!extra.load.belongTo(viewer.ownerId)) throw closeCrowded(extra);
    // With the connection's token the whole connection ends, and clients come back to what they followed.
    const streamsEndAt = authorization === undefined ? null : viewer.expiresAt;
    const context = createContext(parts, { viewer, headerLines, signal: extra.gone.signal, streamsEndAt });
    // What bounds subscriptions asks for the load: see limit-subscriptions.ts.
    return Object.assign(context, { load: extra.load });
  }

  /** The close code comes first: whatever graphql-ws closes with afterwards is not heard any more. */
  function closeCrowded(kept: Kept): GraphQLError {
    const error = connectionLimitExceeded(kept.load.socketsPerOwner);
    kept.close(tooManySockets, error.message);
    return error;
  }

  /** Throws a GraphQLError for what is wrong with the call or its document. */
  async function prepare(
    connection: Connection,
    payload: SubscribePayload,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    const contextValue = await contextFor(connection, payload);
    const { schema, parse, validate } = engine();
    const text = persisted.textOf(payload);
    const document = parse(typeof text === "string" ? text : "");
    const faults = validate(schema, document);
    if (faults.length > 0) return faults;
    if (!getOperationAST(document, payload.operationName)) return [unknownOperation()];
    return { schema, document, operationName: payload.operationName, variableValues: payload.variables, contextValue };
  }

  /** Errors are answered, never thrown: a throw would close the socket, with all other subscriptions on it. */
  function answerFault(error: unknown): readonly GraphQLError[] {
    if (error instanceof GraphQLError) return [error];
    log.error("unexpected-error", { error });
    return [new GraphQLError("Unexpected error.", { extensions: { code: "INTERNAL_SERVER_ERROR" } })];
  }

  const { execute, subscribe } = engine();
  const protocol = makeServer<Record<string, unknown>, Kept>({
    execute,
    subscribe,
    async onConnect({ connectionParams, extra }) {
      const { authorization = null } = readConnectionHeaders(connectionParams);
      const recognised = await authenticator.recognise(authorization);
      if (!("reason" in recognised) && !extra.load.belongTo(recognised.ownerId)) {
        closeCrowded(extra);
        return false;
      }
      return identify(extra, recognised);
    },
    async onSubscribe(connection, _id, payload) {
      try {
        if (connection.extra.load.hasTooManyOperations) return [operationLimitExceeded()];
        return await prepare(connection, payload);
      } catch (error) {
        return answerFault(error);
      }
    },
    onOperation: ({ extra: { send } }, id, _payload, _args, result) =>
      isAsyncIterable(result) ? sendResults(result, { id, send, show: publicResult }) : result,
    onNext: (_connection, _id, _payload, _args, result) => publicResult(result),
    onError: (_connection, _id, _payload, errors) => errors.map((error) => publicError(error)),
    onClose: ({ extra }) => {
      extra.load.close();
      extra.gone.abort();
    },
  });
  return allowingMore(protocol);
}
