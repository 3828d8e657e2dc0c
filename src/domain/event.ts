/** The words of a job's log: what kinds of event there are and who causes them. The log itself is the store's. */

export const jobEventTypes = [
  "JOB_CREATED",
  "ATTEMPT_QUEUED",
  "ATTEMPT_STARTING",
  "ATTEMPT_RUNNING",
  "ATTEMPT_UNKNOWN",
  "ATTEMPT_SUCCEEDED",
  "ATTEMPT_FAILED",
  "ATTEMPT_CANCELLED",
  "RESULT_DISCARDED",
  "FAILOVER_REFUSED",
  "JOB_SUCCEEDED",
  "JOB_FAILED",
  "JOB_CANCELLED",
] as const;
export type JobEventType = (typeof jobEventTypes)[number];

export const eventCauses = ["OWNER", "WORKER", "OPERATOR", "DEADLINE", "LEASE", "RECONCILER", "POLICY"] as const;
export type EventCause = (typeof eventCauses)[number];

/** Who did something: the cause, and the token's subject or the worker's id where it was a caller. */
export interface Actor {
  readonly cause: EventCause;
  readonly name: string | null;
  /** The owner acted through a token for this job alone. */
  readonly byJobToken?: boolean;
}
