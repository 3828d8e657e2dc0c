/** Composes the store on one database: migrations, pools, a batcher for each verb, hints. No rule and no statement stands here. */
import pLimit from "p-limit";
import { Batcher } from "./batcher.ts";
import { claimsOf } from "./claims.ts";
import { connect, defaultPoolSize, type Sql } from "./connect.ts";
import { newId } from "./ids.ts";
import { listen } from "./listen.ts";
import { migrate } from "./migrate.ts";
import { endSessions, maxBatchSize, notify, notifying } from "./notify.ts";
import { openReads } from "./read/open-reads.ts";
import type { Hint, Store } from "./store.ts";
import { takesOf } from "./takes.ts";
import { runVerb, type Verb } from "./verb.ts";
import type { VerbRun } from "./verb-run.ts";
import { cancelAttempts } from "./write/cancel-attempts.ts";
import { cancelJobs } from "./write/cancel-jobs.ts";
import { completeAttempts } from "./write/complete-attempts.ts";
import { createJobs } from "./write/create-jobs.ts";
import { expireAttempts } from "./write/expire-attempts.ts";
import { failAttempts } from "./write/fail-attempts.ts";
import { heartbeat } from "./write/heartbeat.ts";
import { loseAttempts } from "./write/lose-attempts.ts";
import { markLookedUp } from "./write/mark-looked-up.ts";
import { markRunning } from "./write/mark-running.ts";
import { pauseProviders } from "./write/pause-providers.ts";
import { releaseKeys } from "./write/release-keys.ts";
import { resolveAttempts } from "./write/resolve-attempts.ts";
import { resumeProviders } from "./write/resume-providers.ts";
import { retryJobs } from "./write/retry-jobs.ts";

export interface StoreOptions {
  readonly url: string;
  /** Where LISTEN connects, if `url` leads through a pooler that does not carry it. */
  readonly listenUrl?: string;
  /** How often the LISTEN connection proves that it is alive. */
  readonly listenHeartbeatMs?: number;
  readonly poolSize?: number;
  readonly lockTimeoutMs?: number;
  /** Told of faults that no caller sees, such as a lost LISTEN connection. */
  readonly onError?: (error: unknown) => void;
}

/** Two batches of a verb under way keep the database busy while the next one gathers. */
const batchesInFlight = 2;

/** Connections that no statement waiting for a locked row may take: batches and the feed's reads go on. */
const connectionsKeptFree = 2;

/** Added to the wait for an attempt that comes due: the database counts the delay from a moment of its own. */
const dueMarginMs = 5;

function batched<Command, Plan, Answer>(
  run: VerbRun,
  verb: Verb<Command, Plan, Answer>,
): (command: Command) => Promise<Answer> {
  const batcher = new Batcher<Command, Answer>({
    maxSize: maxBatchSize,
    maxInFlight: batchesInFlight,
    keyOf: (command) => verb.keyOf(command),
    run: (commands, settle) => runVerb(run, verb, commands, settle),
  });
  return (command) => batcher.ask(command);
}

/** Migrates, then connects. Throws what the database answers where it cannot be reached or is too old. */
export async function openStore(options: StoreOptions): Promise<Store> {
  await migrate(options.url);
  const connections = connect(options);
  const sql: Sql = connections.sql;
  const listeners = new Set<(hint: Hint) => void>();
  const gapListeners = new Set<() => void>();
  const tell = (hint: Hint): void => {
    for (const listener of listeners) listener(hint);
  };
  const tellGap = (): void => {
    for (const listener of gapListeners) listener();
  };
  // The last part of a fresh UUID: random, and enough to tell the processes on one database apart.
  const notifyAs = newId().slice(-12);
  const listening = listen({
    url: options.listenUrl ?? options.url,
    ownName: notifyAs,
    notify: (channel, payload) => notify(sql, channel, payload),
    endSessions: (name) => endSessions(sql, name),
    ...(options.listenHeartbeatMs !== undefined && { heartbeatMs: options.listenHeartbeatMs }),
    onHint: tell,
    onGap: tellGap,
    onError: options.onError ?? (() => {}),
  });
  const lone = pLimit(Math.max(1, (options.poolSize ?? defaultPoolSize) - connectionsKeptFree));
  const run: VerbRun = {
    sql,
    notifyAs,
    lone,
    changed: (jobIds, queued) => tell({ jobIds, queued }),
    // Other processes notice by their poll; this one need not wait for it.
    dueAfter(ms) {
      if (ms > 0) setTimeout(() => tell({ jobIds: [], queued: true }), ms + dueMarginMs).unref();
    },
    unheard: () => listening.owe(),
    lost: tellGap,
  };
  await listening.ready;
  const fail = batched(run, failAttempts);
  const lose = batched(run, loseAttempts);

  return {
    read: openReads(connections),
    takeCreations: takesOf(run),
    createJob: batched(run, createJobs),
    retryJob: batched(run, retryJobs),
    cancelAttempt: batched(run, cancelAttempts),
    cancelJob: batched(run, cancelJobs),
    markRunning: batched(run, markRunning),
    heartbeat: batched(run, heartbeat),
    completeAttempt: batched(run, completeAttempts),
    resolveAttempt: batched(run, resolveAttempts),
    markLookedUp: batched(run, markLookedUp),
    releaseKey: batched(run, releaseKeys),
    pauseProvider: batched(run, pauseProviders),
    resumeProvider: batched(run, resumeProviders),
    failAttempt: (command) => (command.certain ? fail(command) : lose(command)),
    claimAttempts: claimsOf(run),
    async expireAttempts(limit) {
      const expired = await notifying(run, (as) => expireAttempts(sql, Math.min(limit, maxBatchSize), as));
      if (expired.length > 0) tell({ jobIds: expired.map((one) => one.jobId), queued: false });
      return expired;
    },
    onHint(callback) {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
    onGap(callback) {
      gapListeners.add(callback);
      return () => gapListeners.delete(callback);
    },
    async close() {
      await listening.close();
      await connections.close();
    },
  };
}
