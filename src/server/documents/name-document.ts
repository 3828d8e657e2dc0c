/** Puts the document that a call names in the place of the one it would have sent, over HTTP and WebSocket. Which there are is the manifest's. */
import type { GraphQLParams, Plugin } from "graphql-yoga";
import type { PersistedDocuments } from "./persisted-documents.ts";

/** What Yoga would take for a mistake in a body, and leaves out of an address. */
export const extraParamNames = ["documentId"];

type Params = GraphQLParams & { readonly documentId?: unknown };

export function useDocumentNames(persisted: PersistedDocuments): Plugin {
  return {
    onParams({ params, request, setParams }) {
      if (typeof params !== "object" || params === null) return;
      const { documentId: inBody, ...others } = params as Params;
      const documentId = request.method === "GET" ? new URL(request.url).searchParams.get("documentId") : inBody;
      setParams({ ...others, query: persisted.textOf({ ...others, documentId }) } as GraphQLParams);
    },
  };
}

/** The library closes a socket on an operation without a text, as are those that name their document instead. */
export function withEmptyQuery(message: unknown): unknown {
  const { payload } = (message ?? {}) as { readonly payload?: unknown };
  if (typeof payload !== "object" || payload === null) return message;
  const { query, documentId, extensions } = payload as Params;
  if ((query ?? undefined) !== undefined) return message;
  const namesDocument = documentId !== undefined || extensions?.["persistedQuery"] !== undefined;
  return namesDocument ? { ...(message as object), payload: { ...payload, query: "" } } : message;
}
