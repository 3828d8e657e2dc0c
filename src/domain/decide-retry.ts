/** What retryJob answers, decided from the job as it was read. The statement that starts the attempt compares what was read. */
import { type AttemptState, isClosed, isLive, type JobState } from "./lifecycle.ts";

export interface RetryView {
  readonly jobState: JobState;
  /** Retention has removed the input: there is nothing to try again with. */
  readonly isPurged: boolean;
  readonly latestNumber: number;
  readonly latestState: AttemptState;
  /** The number of the attempt that the caller saw end. */
  readonly afterNumber: number;
}

export type RetryVerdict = "start" | "in-flight" | "outdated" | "closed" | "purged";

/** A second click finds the first one's attempt live, or misses that it has ended: either way it starts nothing. */
export function decideRetry(view: RetryView): RetryVerdict {
  if (isClosed(view.jobState)) return "closed";
  if (view.isPurged) return "purged";
  const missed = view.latestNumber - view.afterNumber;
  // Of several attempts after the one named, all but the newest have ended.
  if (missed > 1) return "outdated";
  if (isLive(view.latestState)) return "in-flight";
  return missed === 0 ? "start" : "outdated";
}
