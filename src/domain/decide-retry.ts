/** What retryJob answers, decided from the job as it was read. The statement that starts the attempt compares what was read. */
import { type AttemptState, isClosed, isLive, type JobState } from "./lifecycle.ts";

export interface RetryView {
  readonly jobState: JobState;
  readonly latestAttemptId: string;
  readonly latestState: AttemptState;
  /** The attempt that the caller saw end. */
  readonly afterAttemptId: string;
}

export type RetryVerdict = "start" | "in-flight" | "outdated" | "closed";

/** A second click finds the first one's attempt live, or its end unseen: either way it starts nothing. */
export function decideRetry(view: RetryView): RetryVerdict {
  if (isClosed(view.jobState)) return "closed";
  if (isLive(view.latestState)) return "in-flight";
  return view.afterAttemptId === view.latestAttemptId ? "start" : "outdated";
}
