/** The protocol graphql-transport-ws over the HTTP endpoint's engine: who may connect, what an operation is given, how errors show. */
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
} from "graphql";
import { type Context, makeServer, type Server, type SubscribePayload } from "graphql-ws";
import type { Authenticator } from "../auth/authenticator.ts";
import { recogniseCaller } from "../auth/recognise-caller.ts";
import type { HttpSettings } from "../config/read-http.ts";
import type { Limits } from "../config/read-limits.ts";
import { publicError, unknownOperation } from "../error-codes.ts";
import type { GraphqlEndpoint } from "../graphql-endpoint.ts";
import type { ServerLog } from "../log.ts";
import { createContext, type ServerParts } from "../request-context.ts";
import { connectionLimitExceeded, operationLimitExceeded, tooManySockets } from "./limit-errors.ts";
import { readConnectionHeaders, readHeaders } from "./socket-headers.ts";
import type { SocketLoad } from "./socket-load.ts";

/** What is kept with a connection. */
export interface Kept extends Record<PropertyKey, unknown> {
  /** Aborted when the socket has closed. */
  readonly gone: AbortController;
  readonly load: SocketLoad;
  close(code: number, reason: string): void;
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
}

export function createProtocol({ endpoint, parts, authenticator, log }: ProtocolOptions): Protocol {
  const engine = (): Engine => endpoint.getEnveloped({}) as Engine;

  async function contextFor({ connectionParams, extra }: Connection, payload: SubscribePayload) {
    // GraphiQL sends its headers with each operation, not with the connection.
    const headers = { ...readConnectionHeaders(connectionParams), ...readHeaders(payload.extensions?.["headers"]) };
    const viewer = await recogniseCaller(authenticator, headers["authorization"] ?? null);
    const headerLines = (name: string) => (headers[name] === undefined ? [] : [headers[name]]);
    if (!extra.load.belongTo(viewer.ownerId)) throw closeCrowded(extra);
    // What bounds subscriptions asks for the load: see limit-subscriptions.ts.
    return Object.assign(createContext(parts, { viewer, headerLines, signal: extra.gone.signal }), {
      load: extra.load,
    });
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
    const document = parse(payload.query);
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
  return makeServer<Record<string, unknown>, Kept>({
    execute,
    subscribe,
    async onConnect({ connectionParams, extra }) {
      const { authorization = null } = readConnectionHeaders(connectionParams);
      const recognised = await authenticator.recognise(authorization);
      // Without a token here, each operation must bring one. A wrong one closes with 4403, which clients may retry.
      if ("reason" in recognised) return recognised.reason === "no-token";
      if (extra.load.belongTo(recognised.ownerId)) return true;
      closeCrowded(extra);
      return false;
    },
    async onSubscribe(connection, _id, payload) {
      try {
        if (connection.extra.load.hasTooManyOperations) return [operationLimitExceeded()];
        return await prepare(connection, payload);
      } catch (error) {
        return answerFault(error);
      }
    },
    onNext: (_connection, _id, _payload, _args, { data, errors, extensions }) => ({
      ...(data === undefined ? {} : { data }),
      ...(errors === undefined ? {} : { errors: errors.map(publicError) }),
      ...(extensions === undefined ? {} : { extensions }),
    }),
    onError: (_connection, _id, _payload, errors) => errors.map((error) => publicError(error)),
    onClose: ({ extra }) => {
      extra.load.close();
      extra.gone.abort();
    },
  });
}
