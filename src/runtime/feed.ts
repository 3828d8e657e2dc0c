/**
 * The live feed: who follows which job, and one reading that serves all of them at once. Hints say where to look, a poll
 * covers lost ones, the tables are the truth. It keeps no history and checks no permission.
 */
import type { JobEvent } from "../domain/job.ts";
import type { Store } from "../store/store.ts";
import { behindIn, type Followed, lowestWanted } from "./followed.ts";
import { type Follower, type Following, followAttempts, followEvents, followSnapshots } from "./follower.ts";
import type { LiveIterator } from "./live-iterator.ts";
import type { Log } from "./log.ts";
import { startLoop } from "./loop.ts";
import type { Feed, JobSnapshot } from "./ports.ts";
import { openProgressWindows } from "./progress-windows.ts";
import { readEvents } from "./read-events.ts";
import { readSnapshots } from "./read-snapshots.ts";
import { openReadingLanes } from "./reading-lanes.ts";
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
/** Jobs that nobody follows by their id, waiting to be looked at for those who follow whole sets. With more, querying is better. */
const maxUnfollowed = 10_000;

export function openFeed({ store, log, pollMs = 1_500, progressMs = 0, restMs = 12 }: FeedOptions): LiveFeed {
  const followed = new Map<string, Followed>();
  /** Of the jobs that wait to be read those that have changed: the others concern nobody who follows whole sets. */
  const changed = new Set<string>();
  const windows = openProgressWindows(progressMs, (jobIds) => noteChanges({ jobIds }));
  const watch = openWatch((jobIds) => noteChanges({ jobIds }));
  let isClosed = false;

  function noteChanges({ jobIds, isProgress = false }: { jobIds: readonly string[]; isProgress?: boolean }): void {
    const { isWatching } = watch;
    for (const jobId of jobIds) {
      if (!isWatching && !followed.has(jobId)) continue;
      if (isProgress && !windows.admits(jobId)) continue;
      if (isWatching) changed.add(jobId);
      reading.add(jobId);
    }
    if (reading.size > followed.size + maxUnfollowed) breakWatch();
    reading.wake();
  }

  /** Hints come faster than they can be looked at, or are made up. */
  function breakWatch(): void {
    watch.break();
    changed.clear();
    reading.keep((jobId) => followed.has(jobId));
  }

  /** For a follower who lacks something of it. */
  function readAgain(jobId: string): void {
    if (!followed.has(jobId)) return;
    reading.add(jobId);
    reading.wake();
  }

  async function readJobs(jobIds: readonly string[]): Promise<void> {
    windows.start(jobIds);
    const toWatch = jobIds.filter((jobId) => changed.delete(jobId));
    try {
      await readAndShow(jobIds, toWatch);
    } catch (error) {
      for (const jobId of toWatch) changed.add(jobId);
      throw error;
    }
  }

  /** Events first, then the jobs: a snapshot is never older than an event that it comes with. */
  async function readAndShow(jobIds: readonly string[], toWatch: readonly string[]): Promise<void> {
    // Whoever comes while this is being read is not shown it: it may be older than they are.
    const audience = jobIds.flatMap((jobId) => {
      const job = followed.get(jobId);
      return job === undefined ? [] : [{ job, followers: [...job.followers] }];
    });
    const watched = await watch.choose(store.read, toWatch);
    const wanted = new Set([...audience.map(({ job }) => job.jobId), ...watched.keys()]);
    if (wanted.size === 0) return;
    const after = audience.flatMap(({ job, followers }) => {
      const number = lowestWanted(followers);
      return number === null ? [] : [{ jobId: job.jobId, number }];
    });
    const events = await readEvents(store.read, after);
    const snapshots = await readSnapshots(store.read, [...wanted]);
    for (const { job, followers } of audience) {
      show(job, followers, snapshots.get(job.jobId), events.get(job.jobId) ?? []);
    }
    watch.show(watched, snapshots);
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
    if (after !== null && after !== before && after < job.eventCount) readAgain(job.jobId);
  }

  /** Covers hints that were lost, and whatever else kept a follower behind. */
  async function poll(): Promise<void> {
    const jobIds = [...followed.keys()];
    for (let from = 0; from < jobIds.length; from += jobsAtOnce) {
      const asked = jobIds.slice(from, from + jobsAtOnce);
      const standings = await store.read.standings(asked);
      for (const jobId of asked) {
        const behind = behindIn(followed.get(jobId), standings.get(jobId));
        if (behind !== null) noteChanges({ jobIds: [jobId], isProgress: behind === "progress" });
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
    readAgain(jobId);
    return iterator;
  }

  const onError = (error: unknown) => log.error("feed-read-failed", { error });
  const reading = openReadingLanes({ read: readJobs, atOnce: jobsAtOnce, restMs, onError });
  const polling = startLoop({
    step: poll,
    intervalMs: pollMs,
    startsAtOnce: false,
    onError: (error) => log.error("feed-poll-failed", { error }),
  });
  const unsubscribe = store.onHint(noteChanges);
  const unsubscribeGaps = store.onGap(() => {
    watch.break();
    polling.wake();
  });

  return {
    followJob: (jobId) => follow(jobId, followSnapshots),
    followAttempts: (jobId) => follow(jobId, followAttempts),
    followEvents: (jobId, after) => follow(jobId, (release) => followEvents(after, () => readAgain(jobId), release)),
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
      windows.close();
      const everyone = [...followed.values()].flatMap((job) => [...job.followers]);
      for (const follower of everyone) follower.end();
      await Promise.all([reading.stop(), polling.stop()]);
    },
  };
}
