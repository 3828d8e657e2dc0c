/** Composes the running parts over one store. It constructs no store, listens on no port and reads no configuration. */
import type { Catalog } from "../domain/operation.ts";
import type { Store } from "../store/store.ts";
import { cancellerOf } from "./cancel-at-provider.ts";
import { openClaimDesk } from "./claim-desk.ts";
import { startDispatcher } from "./dispatcher.ts";
import { type LiveFeed, openFeed } from "./feed.ts";
import { gatherReports, type Reporting } from "./gather-reports.ts";
import type { Log } from "./log.ts";
import { lookUpOf } from "./look-up.ts";
import type { CancelAtProvider, ClaimDesk, LookUp } from "./ports.ts";
import { startSweeper } from "./sweeper.ts";

export interface RuntimeOptions {
  readonly sweepMs?: number;
  /** How often waiting claims and the dispatcher look without being told. */
  readonly claimPollMs?: number;
  readonly feedPollMs?: number;
  /** Least time between two writes, and between two deliveries, of one job's progress. */
  readonly progressMs?: number;
}

export interface Runtime {
  readonly feed: LiveFeed;
  readonly claims: ClaimDesk;
  /** The store's verbs, for workers over the API: their progress is gathered. */
  readonly reports: Reporting;
  readonly cancelAtProvider: CancelAtProvider;
  readonly lookUp: LookUp;
  /** Claims nothing more, lets attempts end within the time, then ends every wait and every follower. */
  stop(options: { readonly graceMs: number }): Promise<void>;
}

export interface RuntimeParts {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly log: Log;
  readonly options?: RuntimeOptions;
}

export function startRuntime({ store, catalog, log, options = {} }: RuntimeParts): Runtime {
  const { sweepMs = 1_000, claimPollMs = 1_000, feedPollMs = 1_500, progressMs = 100 } = options;
  const feed = openFeed({ store, log, pollMs: feedPollMs, progressMs });
  const claims = openClaimDesk({ store, log, pollMs: claimPollMs });
  const sweeper = startSweeper({ store, log, intervalMs: sweepMs });
  const reports = gatherReports(store, progressMs);
  const onDeadline = () => sweeper.wake();
  const dispatcher = startDispatcher({ store, catalog, log, pollMs: claimPollMs, progressMs, onDeadline });

  return {
    feed,
    claims,
    reports,
    cancelAtProvider: cancellerOf({ store, catalog, log, abortHere: (attemptId) => dispatcher.abort(attemptId) }),
    lookUp: lookUpOf({ store, catalog, log }),
    async stop({ graceMs }) {
      // The feed is the last to go: whoever follows a job sees what its attempts still come to.
      await Promise.all([claims.stop(), reports.stop(), dispatcher.stop({ graceMs })]);
      await sweeper.stop();
      await feed.close();
    },
  };
}
