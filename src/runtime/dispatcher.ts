/** Has the configuration's in-process providers carry out what waits for them. It decides no outcome: the store's statements do. */
import { setMaxListeners } from "node:events";
import { failurePolicyOf } from "../domain/failure-policy.ts";
import type { Catalog, Provider } from "../domain/operation.ts";
import type { Store } from "../store/store.ts";
import type { InProcessProvider } from "./carry-out.ts";
import { randomSuffix, settlesWithin } from "./clock.ts";
import { type Lane, startLane } from "./lane.ts";
import type { Log } from "./log.ts";

export interface DispatcherOptions {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly log: Log;
  /** For attempts that come due, and for hints that were lost. */
  readonly pollMs?: number;
  /** Least time between two writes of one attempt's progress. */
  readonly progressMs?: number;
  /** An attempt's deadline has passed. */
  readonly onDeadline?: () => void;
}

export interface Dispatcher {
  readonly workerId: string;
  /** Attempts that are not over yet, those given up among them. */
  carriedCount(): number;
  /** The attempt was cancelled: its call, if it is one of ours, is asked to stop. */
  abort(attemptId: string): void;
  /** Claims nothing more, lets attempts end within the time, then gives them up and reports them as unclear. */
  stop(options: { readonly graceMs: number }): Promise<void>;
}

/** What a provider gets to answer after the abort, before the attempt is reported without its answer. */
const courtesyMs = 500;
/** What the last reports get to reach the database. */
const lastReportsMs = 5_000;

function runsHere(provider: Provider): provider is InProcessProvider {
  return provider.run !== undefined;
}

export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const { store, catalog, log, pollMs = 1_000, progressMs = 100, onDeadline = () => {} } = options;
  const workerId = `dispatcher-${randomSuffix()}`;
  const givingUp = new AbortController();
  // Every report that waits for the database listens to it.
  setMaxListeners(0, givingUp.signal);
  const surroundings = {
    store,
    log,
    policy: failurePolicyOf(catalog),
    workerId,
    progressMs,
    givingUp: givingUp.signal,
    onDeadline,
  };
  const { operations } = catalog;
  const providers = operations.size === 0 ? [] : [...catalog.providers.values()].filter(runsHere);
  const lanes: Lane[] = providers.map((provider) => startLane({ provider, operations, surroundings, pollMs, log }));

  const unsubscribe = store.onHint((hint) => {
    if (hint.isProgress) return;
    for (const lane of lanes) if (hint.queued || lane.isLimited) lane.wake();
  });

  const carried = () => lanes.flatMap((lane) => lane.carried());
  const allReleased = () => Promise.all(carried().map((attempt) => attempt.released));
  const allSettled = () => Promise.all(carried().map((attempt) => attempt.settled));

  return {
    workerId,
    carriedCount: () => carried().length,
    abort(attemptId) {
      for (const attempt of carried()) if (attempt.attemptId === attemptId) attempt.abort("closed");
    },
    async stop({ graceMs }) {
      unsubscribe();
      await Promise.all(lanes.map((lane) => lane.stop()));
      await settlesWithin(allReleased(), graceMs);
      const unanswered = carried();
      for (const attempt of unanswered) attempt.abort("shutdown");
      if (unanswered.length > 0) await settlesWithin(allSettled(), courtesyMs);
      for (const attempt of unanswered) attempt.abandon();
      await settlesWithin(allSettled(), lastReportsMs);
      givingUp.abort();
    },
  };
}
