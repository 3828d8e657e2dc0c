/** Gives an operation fresh loaders where what they remember has become old: after a write, and with each event of a stream. */
import type { JobSnapshot } from "../runtime/ports.ts";
import { sightOf } from "./authorise.ts";
import type { RequestContext } from "./context.ts";
import { createLoaders, type Loaders, primeLoaders } from "./loaders.ts";

/**
 * Replacing the loaders of the context is safe: the fields of one mutation run one after the other, and so do the events
 * of one subscription, each with all that hangs beneath it. Operations never share a context.
 */
export function renewLoaders(context: RequestContext): void {
  context.loaders = createLoaders(context.store, sightOf(context.viewer), context.catalog);
}

const shared = new WeakMap<JobSnapshot, Map<string, Loaders>>();

/**
 * The loaders of everybody who is shown this snapshot and may name the same jobs: what the snapshot lacks is read once for
 * all of them, when the first one asks. It goes with the snapshot, which the feed replaces at the job's next event.
 */
export function shareLoaders(context: RequestContext, snapshot: JobSnapshot): void {
  const sight = sightOf(context.viewer);
  const key = JSON.stringify([sight.scope, sight.onlyJobId]);
  const bySight = shared.get(snapshot) ?? new Map<string, Loaders>();
  shared.set(snapshot, bySight);
  const known = bySight.get(key);
  const loaders = known ?? createLoaders(context.store, sight, context.catalog);
  if (known === undefined) {
    primeLoaders(loaders, snapshot);
    bySight.set(key, loaders);
  }
  context.loaders = loaders;
}
