/** Makes the context of one operation, the same over HTTP and WebSocket. It recognises nobody: it is told who calls. */
import type { Catalog } from "../domain/operation.ts";
import { sightOf } from "../graphql/authorise.ts";
import type { RequestContext, ResolverLimits, SignJobToken, Viewer } from "../graphql/context.ts";
import { createLoaders } from "../graphql/loaders.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Store } from "../store/store.ts";
import { readTraceparent } from "./read-traceparent.ts";

/** The parts of a running server that every operation is given. */
export interface ServerParts {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly runtime: Runtime;
  readonly signJobToken: SignJobToken | null;
  readonly limits: ResolverLimits;
}

export interface Caller {
  readonly viewer: Viewer;
  /** The lines of a header of the call, by its name in lower case: two lines are not one with a comma. */
  readonly headerLines: (name: string) => readonly string[];
  readonly signal: AbortSignal | null;
  /** When streams of this call end by themselves; null where they never do, or end with the connection. */
  readonly streamsEndAt: Date | null;
}

/** What the resolvers are given, and what the server keeps beside it. */
export interface OperationContext extends RequestContext, Pick<Caller, "streamsEndAt"> {}

export function createContext(
  { store, catalog, runtime, limits, signJobToken }: ServerParts,
  { viewer, headerLines, signal, streamsEndAt }: Caller,
): OperationContext {
  const [traceparent, ...others] = headerLines("traceparent");
  return {
    viewer,
    store,
    catalog,
    feed: runtime.feed,
    claims: runtime.claims,
    cancelAtProvider: runtime.cancelAtProvider,
    lookUp: runtime.lookUp,
    signJobToken,
    limits,
    idempotencyKeyHeaders: headerLines("idempotency-key"),
    // As W3C has it, two of them are none.
    traceparent: readTraceparent(others.length === 0 ? (traceparent ?? null) : null),
    signal,
    streamsEndAt,
    loaders: createLoaders(store, sightOf(viewer), catalog),
  };
}
