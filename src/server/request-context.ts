/** Makes the context of one operation, the same over HTTP and WebSocket. It recognises nobody: it is told who calls. */
import type { Catalog } from "../domain/operation.ts";
import { scopeOf } from "../graphql/authorise.ts";
import type { RequestContext, Viewer } from "../graphql/context.ts";
import { createLoaders } from "../graphql/loaders.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Store } from "../store/store.ts";
import { readTraceparent } from "./read-traceparent.ts";

/** The parts of a running server that every operation is given. */
export interface ServerParts {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly runtime: Runtime;
}

export interface Caller {
  readonly viewer: Viewer;
  /** A header of the call by its name in lower case, or null. */
  readonly header: (name: string) => string | null;
  readonly signal: AbortSignal | null;
}

export function createContext(
  { store, catalog, runtime }: ServerParts,
  { viewer, header, signal }: Caller,
): RequestContext {
  return {
    viewer,
    store,
    catalog,
    feed: runtime.feed,
    claims: runtime.claims,
    cancelAtProvider: runtime.cancelAtProvider,
    lookUp: runtime.lookUp,
    idempotencyKeyHeader: header("idempotency-key"),
    traceparent: readTraceparent(header("traceparent")),
    signal,
    loaders: createLoaders(store, scopeOf(viewer), catalog),
  };
}
