/** A job that somebody follows: who does, how far it was read last, and what of it they have not been shown. It reads nothing. */
import type { Standing } from "../store/store.ts";
import type { Follower } from "./follower.ts";

export interface Followed {
  readonly jobId: string;
  readonly followers: Set<Follower>;
  /** Events that the job had when it was last read. */
  eventCount: number;
  /** When the progress that it had then was written. */
  progressAtMs: number | null;
}

/** Where the hungriest of the followers stands; null when none takes events. */
export function lowestWanted(followers: Iterable<Follower>): number | null {
  let lowest: number | null = null;
  for (const follower of followers) {
    const number = follower.wantsAfter();
    if (number !== null && (lowest === null || number < lowest)) lowest = number;
  }
  return lowest;
}

/** What the table has of the job that was not read or not taken yet; null where there is nothing, or nobody to show it to. */
export function behindIn(job: Followed | undefined, standing: Standing | undefined): "events" | "progress" | null {
  if (job === undefined) return null;
  // It is gone: whoever follows it is to be told.
  if (standing === undefined) return "events";
  const wanted = lowestWanted(job.followers);
  if (job.eventCount !== standing.eventCount || (wanted !== null && wanted < standing.eventCount)) return "events";
  return job.progressAtMs === (standing.progressAt?.getTime() ?? null) ? null : "progress";
}
