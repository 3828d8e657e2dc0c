/**
 * The states of jobs and attempts and every move between them, as data: the types, the SQL triggers, docs/lifecycle.md
 * and the exhaustive test derive from these tables. It decides nothing itself.
 */

export const attemptStates = ["QUEUED", "STARTING", "RUNNING", "UNKNOWN", "SUCCEEDED", "FAILED", "CANCELLED"] as const;
export type AttemptState = (typeof attemptStates)[number];

export const jobStates = ["QUEUED", "RUNNING", "UNKNOWN", "SUCCEEDED", "FAILED", "CANCELLED"] as const;
export type JobState = (typeof jobStates)[number];

/** What an attempt in each state may become. STARTING is written before the request leaves. */
export const attemptTransitions = {
  QUEUED: ["STARTING", "CANCELLED"],
  STARTING: ["RUNNING", "SUCCEEDED", "FAILED", "UNKNOWN", "CANCELLED"],
  RUNNING: ["SUCCEEDED", "FAILED", "UNKNOWN", "CANCELLED"],
  UNKNOWN: ["SUCCEEDED", "FAILED", "CANCELLED"],
  SUCCEEDED: [],
  FAILED: [],
  CANCELLED: [],
} as const satisfies Record<AttemptState, readonly AttemptState[]>;

/** What a job in each state may become: it follows its attempts, and FAILED is not final. */
export const jobTransitions = {
  QUEUED: ["RUNNING", "FAILED", "CANCELLED"],
  RUNNING: ["QUEUED", "UNKNOWN", "SUCCEEDED", "FAILED", "CANCELLED"],
  UNKNOWN: ["QUEUED", "SUCCEEDED", "FAILED", "CANCELLED"],
  SUCCEEDED: [],
  FAILED: ["QUEUED", "CANCELLED"],
  CANCELLED: [],
} as const satisfies Record<JobState, readonly JobState[]>;

/** States in which an attempt blocks every other one of its job (I3). */
export const liveAttemptStates = [
  "QUEUED",
  "STARTING",
  "RUNNING",
  "UNKNOWN",
] as const satisfies readonly AttemptState[];

/** States in which a worker holds the attempt under a lease and a deadline. */
const heldAttemptStates = ["STARTING", "RUNNING"] as const satisfies readonly AttemptState[];

/** States of a job that never change again (I7). */
export const closedJobStates = ["SUCCEEDED", "CANCELLED"] as const satisfies readonly JobState[];

/** How a job shows while its live attempt is in the given state. */
export const jobStateOfLiveAttempt = {
  QUEUED: "QUEUED",
  STARTING: "RUNNING",
  RUNNING: "RUNNING",
  UNKNOWN: "UNKNOWN",
} as const satisfies Record<(typeof liveAttemptStates)[number], JobState>;

export function isLive(state: AttemptState): boolean {
  return (liveAttemptStates as readonly AttemptState[]).includes(state);
}

export function isHeld(state: AttemptState): boolean {
  return (heldAttemptStates as readonly AttemptState[]).includes(state);
}

export function isClosed(state: JobState): boolean {
  return (closedJobStates as readonly JobState[]).includes(state);
}

export function mayBecome(from: AttemptState, to: AttemptState): boolean {
  return (attemptTransitions[from] as readonly AttemptState[]).includes(to);
}
