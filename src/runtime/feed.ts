/**
 * The live feed: who follows which job, and one reading loop that reads for all of them at once. Hints say where to look,
 * a poll covers lost ones, the tables are the truth. It keeps no history and checks no permission.
 */
import type { JobEvent } from "../domain/job.ts";
import type { Hint, Store } from "../store/store.ts";
import { openDirtyJobs } from "./dirty-jobs.ts";
import { behindIn, type Followed, lowestWanted } from "./followed.ts";
import { eventPage, type Follower, type Following, followAttempts, followEvents, followSnapshots } from "./follower.ts";
import type { LiveIterator } from "./live-iterator.ts";
import type { Log } from "./log.ts";
import { startLoop } from "./loop.ts";
import type { Feed, JobSnapshot } from "./ports.ts";
import { readSnapshots } from "./read-snapshots.ts";
import { openWatch } from "./watch.ts";

export interface FeedOptions {
  readonly store: Store;
  readonly log: Log;
  readonly pollMs?: number;
  /** Least time between two readings of a job by reason of its progress alone. */
  readonly progressMs?: number;
  /** Changes that follow each other within it are read together: a reading costs about the same for one job as for ten. */
  readonly restMs?: number;
}

export interface LiveFeed extends Feed {
  followerCount(): number;
  /** Ends every follower without an error. */
  close(): Promise<void>;
}

/** Jobs read at a time: no more than a watcher keeps, so that one who reads on is not behind by the reading itself. */
const jobsAtOnce = 250;

export function openFeed({ store, log, pollMs = 1_500, progressMs = 0, restMs = 10 }: FeedOptions): LiveFeed {
  const followed = new Map<string, Followed>();
  const dirty = openDirtyJobs(progressMs, () => reading.wake());
  const watch = openWatch((jobIds) => markAll({ jobIds }));
  let isClosed = false;

  function mark(jobId: string, isProgress = false): void {
    if (!followed.has(jobId) && watch.count === 0) return;
    if (isProgress) dirty.markProgress(jobId);
    else dirty.mark(jobId);
  }

  function markAndRead(jobId: string): void {
    markAll({ jobIds: [jobId] });
  }

  function markAll({ jobIds, isProgress }: Pick<Hint, "jobIds" | "isProgress">): void {
    for (const jobId of jobIds) mark(jobId, isProgress);
    if (dirty.size > 0) reading.wake();
  }

  /** Events first, then the jobs: a snapshot is never older than an event that it comes with. */
  async function readDirty(): Promise<void> {
    const jobIds = dirty.take(jobsAtOnce);
    // Whoever comes while this is being read is not shown it: it may be older than they are.
    const audience = jobIds.flatMap((jobId) => {
      const job = followed.get(jobId);
      return job === undefined ? [] : [{ job, followers: [...job.followers] }];
    });
    try {
      const watched = await watch.choose(store.read, jobIds);
      const wanted = new Set([...audience.map(({ job }) => job.jobId), ...watched.keys()]);
      if (wanted.size === 0) return;
      const events = await readEvents(audience);
      const snapshots = await readSnapshots(store.read, [...wanted]);
      for (const { job, followers } of audience) {
        show(job, followers, snapshots.get(job.jobId), events.get(job.jobId) ?? []);
      }
      watch.show(watched, snapshots);
    } catch (error) {
      for (const jobId of jobIds) mark(jobId);
      throw error;
    } finally {
      if (dirty.size > 0) reading.wake();
    }
  }

  async function readEvents(audience: readonly { job: Followed; followers: readonly Follower[] }[]) {
    const after = audience.flatMap(({ job, followers }) => {
      const number = lowestWanted(followers);
      return number === null ? [] : [{ jobId: job.jobId, number }];
    });
    const byJob = new Map<string, JobEvent[]>();
    if (after.length === 0) return byJob;
    for (const event of await store.read.events(after, eventPage)) {
      const events = byJob.get(event.jobId);
      if (events === undefined) byJob.set(event.jobId, [event]);
      else events.push(event);
    }
    return byJob;
  }

  function show(
    job: Followed,
    followers: readonly Follower[],
    snapshot: JobSnapshot | undefined,
    events: readonly JobEvent[],
  ) {
    if (snapshot === undefined) {
      for (const follower of followers) follower.end();
      return;
    }
    job.eventCount = snapshot.job.eventCount;
    job.progressAtMs = snapshot.attempts.at(-1)?.progress?.updatedAt.getTime() ?? null;
    const before = lowestWanted(followers);
    for (const follower of followers) follower.show(snapshot, events);
    const after = lowestWanted(followers);
    // More in the log than a page. Where nothing could be taken, the poll asks again: at once would be without end.
    if (after !== null && after !== before && after < job.eventCount) mark(job.jobId);
  }

  /** Covers hints that were lost, and whatever else kept a follower behind. */
  async function poll(): Promise<void> {
    const jobIds = [...followed.keys()];
    for (let from = 0; from < jobIds.length; from += jobsAtOnce) {
      const asked = jobIds.slice(from, from + jobsAtOnce);
      const standings = await store.read.standings(asked);
      for (const jobId of asked) {
        const behind = behindIn(followed.get(jobId), standings.get(jobId));
        if (behind !== null) markAll({ jobIds: [jobId], ...(behind === "progress" && { isProgress: true }) });
      }
    }
  }

  function follow<Value extends object>(
    jobId: string,
    start: (release: () => void) => Following<Value>,
  ): LiveIterator<Value> {
    const { follower, iterator } = start(() => {
      const job = followed.get(jobId);
      job?.followers.delete(follower);
      if (job?.followers.size === 0) followed.delete(jobId);
    });
    if (isClosed) {
      iterator.end();
      return iterator;
    }
    const job = followed.get(jobId) ?? { jobId, followers: new Set<Follower>(), eventCount: 0, progressAtMs: null };
    followed.set(jobId, job);
    job.followers.add(follower);
    markAndRead(jobId);
    return iterator;
  }

  const reading = startLoop({
    step: readDirty,
    restMs,
    intervalMs: null,
    startsAtOnce: false,
    onError: (error) => log.error("feed-read-failed", { error }),
  });
  const polling = startLoop({
    step: poll,
    intervalMs: pollMs,
    startsAtOnce: false,
    onError: (error) => log.error("feed-poll-failed", { error }),
  });
  const unsubscribe = store.onHint(markAll);
  const unsubscribeGaps = store.onGap(() => {
    watch.break();
    polling.wake();
  });

  return {
    followJob: (jobId) => follow(jobId, followSnapshots),
    followAttempts: (jobId) => follow(jobId, followAttempts),
    followEvents: (jobId, after) => follow(jobId, (release) => followEvents(after, () => markAndRead(jobId), release)),
    followJobs(filter) {
      const iterator = watch.follow(filter);
      if (isClosed) iterator.end();
      return iterator;
    },
    followerCount: () => [...followed.values()].reduce((sum, job) => sum + job.followers.size, watch.count),
    async close() {
      isClosed = true;
      unsubscribe();
      unsubscribeGaps();
      watch.close();
      dirty.close();
      const everyone = [...followed.values()].flatMap((job) => [...job.followers]);
      for (const follower of everyone) follower.end();
      await Promise.all([reading.stop(), polling.stop()]);
    },
  };
}
