/**
 * The live feed: who follows which job, and one reading loop that reads for all of them at once. Hints say where to look,
 * a poll covers lost ones, the tables are the truth. It keeps no history and checks no permission.
 */
import type { JobEvent } from "../domain/job.ts";
import type { Store } from "../store/store.ts";
import { eventPage, type Follower, type Following, followAttempts, followEvents, followSnapshots } from "./follower.ts";
import type { LiveIterator } from "./live-iterator.ts";
import type { Log } from "./log.ts";
import { startLoop } from "./loop.ts";
import type { Feed, JobSnapshot } from "./ports.ts";
import { readSnapshots } from "./read-snapshots.ts";
import { openReadingLanes } from "./reading-lanes.ts";
import { openWatch } from "./watch.ts";

export interface FeedOptions {
  readonly store: Store;
  readonly log: Log;
  readonly pollMs?: number;
}

export interface LiveFeed extends Feed {
  followerCount(): number;
  /** Ends every follower without an error. */
  close(): Promise<void>;
}

interface Followed {
  readonly jobId: string;
  readonly followers: Set<Follower>;
  /** Events that the job had when it was last read. */
  eventCount: number;
}

/** Jobs read at a time, so that no statement grows without bound. */
const jobsAtOnce = 500;
/** Jobs that nobody follows by their id, waiting to be looked at for those who follow whole sets. With more, querying is better. */
const maxUnfollowed = 10_000;

/** Where the hungriest of the followers stands; null when none takes events. */
function lowestWanted(followers: Iterable<Follower>): number | null {
  const wanted = [...followers].map((follower) => follower.wantsAfter()).filter((number) => number !== null);
  return wanted.length === 0 ? null : Math.min(...wanted);
}

export function openFeed({ store, log, pollMs = 1_500 }: FeedOptions): LiveFeed {
  const followed = new Map<string, Followed>();
  const watch = openWatch((jobIds) => {
    for (const jobId of jobIds) markAndRead(jobId);
  });
  let isClosed = false;

  function mark(jobId: string): void {
    if (followed.has(jobId)) reading.add(jobId);
    else if (watch.isWatching) {
      reading.add(jobId);
      if (reading.size > followed.size + maxUnfollowed) breakWatch();
    }
  }

  /** Hints come faster than they can be looked at, or are made up. */
  function breakWatch(): void {
    watch.break();
    reading.keep((jobId) => followed.has(jobId));
  }

  function markAndRead(jobId: string): void {
    mark(jobId);
    reading.wake();
  }

  /** Events first, then the jobs: a snapshot is never older than an event that it comes with. */
  async function readJobs(jobIds: readonly string[]): Promise<void> {
    // Whoever comes while this is being read is not shown it: it may be older than they are.
    const audience = jobIds.flatMap((jobId) => {
      const job = followed.get(jobId);
      return job === undefined ? [] : [{ job, followers: [...job.followers] }];
    });
    const watched = await watch.choose(store.read, jobIds);
    const wanted = new Set([...audience.map(({ job }) => job.jobId), ...watched.keys()]);
    if (wanted.size === 0) return;
    const events = await readEvents(audience);
    const snapshots = await readSnapshots(store.read, [...wanted]);
    for (const { job, followers } of audience) {
      show(job, followers, snapshots.get(job.jobId), events.get(job.jobId) ?? []);
    }
    watch.show(watched, snapshots);
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
      const counts = await store.read.eventCounts(asked);
      for (const jobId of asked) if (isBehind(jobId, counts.get(jobId))) markAndRead(jobId);
    }
  }

  function isBehind(jobId: string, eventCount: number | undefined): boolean {
    const known = followed.get(jobId);
    if (known === undefined || eventCount === undefined) return known !== undefined;
    const wanted = lowestWanted(known.followers);
    return known.eventCount !== eventCount || (wanted !== null && wanted < eventCount);
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
    const job = followed.get(jobId) ?? { jobId, followers: new Set<Follower>(), eventCount: 0 };
    followed.set(jobId, job);
    job.followers.add(follower);
    markAndRead(jobId);
    return iterator;
  }

  const onError = (error: unknown) => log.error("feed-read-failed", { error });
  const reading = openReadingLanes({ read: readJobs, atOnce: jobsAtOnce, onError });
  const polling = startLoop({
    step: poll,
    intervalMs: pollMs,
    startsAtOnce: false,
    onError: (error) => log.error("feed-poll-failed", { error }),
  });
  const unsubscribe = store.onHint((hint) => {
    for (const jobId of hint.jobIds) mark(jobId);
    reading.wake();
  });
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
      const everyone = [...followed.values()].flatMap((job) => [...job.followers]);
      for (const follower of everyone) follower.end();
      await Promise.all([reading.stop(), polling.stop()]);
    },
  };
}
