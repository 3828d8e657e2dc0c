/** The GraphQL endpoint over HTTP, with Server-Sent Events for subscriptions. WebSockets share its execution, not its transport. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { useCSRFPrevention } from "@graphql-yoga/plugin-csrf-prevention";
import type { GraphQLSchema } from "graphql";
import { createYoga, type Plugin, type YogaServerInstance } from "graphql-yoga";
import type { RequestContext, Viewer } from "../graphql/context.ts";
import type { Authenticator } from "./auth/authenticator.ts";
import { recogniseCaller } from "./auth/recognise-caller.ts";
import type { HttpSettings } from "./config/read-http.ts";
import type { Limits } from "./config/read-limits.ts";
import { useCostLimit } from "./documents/cost-limit.ts";
import { documentCache } from "./documents/document-cache.ts";
import { useDocumentLimits } from "./documents/document-limits.ts";
import { extraParamNames, useDocumentNames } from "./documents/name-document.ts";
import type { PersistedDocuments } from "./documents/persisted-documents.ts";
import { useTokenExpiry } from "./end-at-expiry.ts";
import { forbiddenOrigin, useErrorCodes } from "./error-codes.ts";
import { createGraphiqlRenderer, graphiqlOptions, showsGraphiql } from "./graphiql.ts";
import { policeGraphiql } from "./graphiql-policy.ts";
import { corsOptions, csrfHeaders, useVaryByOrigin } from "./http-cors.ts";
import { useAnswerLimit } from "./limit-answers.ts";
import { useSubscriptionLimits } from "./limit-subscriptions.ts";
import type { LiveCounts } from "./live-counts.ts";
import type { ServerLog } from "./log.ts";
import { comesFromThisMachine } from "./loopback.ts";
import { maskError } from "./mask-errors.ts";
import { useOperationTimeout } from "./operation-timeout.ts";
import { useOperationTurns } from "./operation-turns.ts";
import { createContext, type ServerParts } from "./request-context.ts";
import { useSharedResults } from "./share-results.ts";

export const endpointPath = "/graphql";

/** What Node hands over with a request, and who was recognised in it. */
export interface HttpContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  viewer?: Viewer;
}

export type GraphqlEndpoint = YogaServerInstance<HttpContext, RequestContext>;

/** Before a body is parsed, so that strangers learn nothing of the schema. GraphiQL's page is served before this. */
function useAuthentication(authenticator: Authenticator): Plugin<object, HttpContext> {
  return {
    async onRequestParse({ request, serverContext }) {
      if (authenticator.isOpen && !comesFromThisMachine(serverContext.req)) throw forbiddenOrigin();
      serverContext.viewer = await recogniseCaller(authenticator, request.headers.get("authorization"));
    },
  };
}

export interface EndpointOptions {
  readonly schema: GraphQLSchema;
  readonly parts: ServerParts;
  readonly authenticator: Authenticator;
  readonly log: ServerLog;
  readonly limits: Limits;
  readonly http: HttpSettings;
  readonly persisted: PersistedDocuments;
  readonly counts: LiveCounts;
}

/** What is refused of documents before anything is carried out; but for the names, over WebSocket as well. */
function documentPlugins({ schema, parts, limits, http, persisted }: EndpointOptions): Plugin[] {
  const { complexity } = limits;
  const hideSuggestions = !http.introspection;
  return [
    useDocumentNames(persisted),
    useDocumentLimits({ limits, introspection: http.introspection, persisted }),
    useCostLimit(schema, { complexity, catalog: parts.catalog, hideSuggestions }),
  ];
}

export function createEndpoint(options: EndpointOptions): GraphqlEndpoint {
  const { schema, parts, authenticator, log, limits, http, counts } = options;
  const graphiql = policeGraphiql(createGraphiqlRenderer());
  const logUnexpected = (error: unknown) => log.error("unexpected-error", { error });
  return createYoga<HttpContext, RequestContext>({
    schema,
    graphqlEndpoint: endpointPath,
    landingPage: false,
    graphiql: showsGraphiql(http) && graphiqlOptions(parts.catalog, !authenticator.isOpen),
    renderGraphiQL: graphiql.render,
    // Only listed pages of other origins have any business here, and a form is no way to call a mutation.
    cors: corsOptions(http.cors),
    multipart: false,
    maxRequestBodySize: limits.bodyBytes,
    extraParamNames,
    parserAndValidationCache: documentCache(),
    // Otherwise NODE_ENV=development would show stacks and statements to callers.
    maskedErrors: { errorMessage: "Unexpected error.", isDev: false, maskError },
    logging: { debug: () => {}, info: () => {}, warn: () => {}, error: logUnexpected },
    plugins: [
      useCSRFPrevention({ requestHeaders: csrfHeaders }),
      useAuthentication(authenticator),
      useErrorCodes(limits.bodyBytes),
      ...documentPlugins(options),
      useAnswerLimit(limits.answerBytes),
      useTokenExpiry(),
      useSharedResults(),
      useSubscriptionLimits(counts.subscriptions, limits.subscriptionsPerConnection),
      // The time counts from when an operation came, not from its turn.
      useOperationTurns(limits.operationsPerOwner),
      useOperationTimeout(limits.operationTimeoutMs),
      useVaryByOrigin(http.cors),
      graphiql.plugin,
    ],
    context({ request, viewer, req }) {
      // Without one nothing was recognised, which onRequestParse has refused already.
      if (viewer === undefined) throw new Error("an operation without a viewer");
      const headerLines = (name: string) => req.headersDistinct[name] ?? [];
      return createContext(parts, { viewer, headerLines, signal: request.signal, streamsEndAt: viewer.expiresAt });
    },
  });
}
