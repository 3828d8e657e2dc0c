/** Gives an operation fresh loaders where what they remember has become old: after a write, and with each event of a stream. */
import type { JobSnapshot } from "../runtime/ports.ts";
import { scopeOf } from "./authorise.ts";
import type { RequestContext } from "./context.ts";
import { createLoaders, primeLoaders } from "./loaders.ts";

/**
 * Replacing the loaders of the context is safe: the fields of one mutation run one after the other, and so do the events
 * of one subscription, each with all that hangs beneath it. Operations never share a context.
 */
export function renewLoaders(context: RequestContext, snapshot?: JobSnapshot): void {
  context.loaders = createLoaders(context.store, scopeOf(context.viewer), context.catalog);
  if (snapshot !== undefined) primeLoaders(context.loaders, snapshot);
}
