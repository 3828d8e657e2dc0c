/** Jobs and attempts as the store keeps them, in the domain's words. Ids are UUIDs here; the API's TypeIDs are made in store/ids.ts. */
import type { EventCause, JobEventType } from "./event.ts";
import type { Json } from "./json.ts";
import type { AttemptState, JobState } from "./lifecycle.ts";
import type { Failure } from "./outcome.ts";

export interface Job {
  readonly id: string;
  readonly ownerId: string;
  readonly idempotencyKey: string;
  readonly givenDigest: string;
  readonly resolvedDigest: string;
  readonly operation: string;
  readonly operationVersion: number;
  readonly provider: string;
  readonly fallbackProviders: readonly string[];
  readonly input: Json;
  readonly metadata: Json;
  readonly priority: number;
  readonly traceparent: string | null;
  readonly state: JobState;
  readonly version: number;
  readonly eventCount: number;
  readonly attemptCount: number;
  readonly latestAttempt: string;
  readonly completedBy: string | null;
  readonly result: Json;
  readonly failure: Failure | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly closedAt: Date | null;
  readonly purgedAt: Date | null;
}

/** 0 to 1, or null while the total is not known. */
export interface Progress {
  readonly fraction: number | null;
  readonly message: string | null;
  readonly updatedAt: Date;
}

export interface Attempt {
  readonly id: string;
  readonly jobId: string;
  readonly number: number;
  readonly provider: string;
  readonly providerRevision: string;
  readonly state: AttemptState;
  readonly stateChangedAt: Date;
  /** The fence: the job's version at this attempt's insertion. */
  readonly jobVersion: number;
  readonly certificationId: string | null;
  readonly uncertifiedBy: string | null;
  readonly workerId: string | null;
  /** The subject of the token under which it was claimed; of an attempt that the server itself carries out, the workerId. */
  readonly claimedBy: string | null;
  readonly leaseToken: string | null;
  readonly leaseExpiresAt: Date | null;
  readonly deadlineAt: Date | null;
  readonly runAt: Date;
  readonly progress: Progress | null;
  readonly providerRequestId: string | null;
  readonly failure: Failure | null;
  readonly effectUncertain: boolean;
  readonly lookedUpAt: Date | null;
  readonly lateResultAt: Date | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface JobEvent {
  readonly jobId: string;
  readonly number: number;
  readonly type: JobEventType;
  readonly jobState: JobState;
  readonly attemptId: string | null;
  readonly attemptState: AttemptState | null;
  readonly cause: EventCause;
  readonly actor: string | null;
  readonly detail: Json;
  readonly at: Date;
}
