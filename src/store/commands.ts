/** What each verb of the store is asked and what it answers, as types alone. Ids are UUIDs; instants are the database's. */
import type { Actor } from "../domain/event.ts";
import type { Json } from "../domain/json.ts";
import type { NotCertifiedReason } from "../domain/refusal.ts";

/** How attempts on one provider are to be made, as the inserting process knows it. */
export interface AttemptTerms {
  readonly provider: string;
  readonly providerRevision: string;
  readonly attemptTimeoutMs: number;
  readonly leaseMs: number;
}

export interface CreateJob {
  readonly ownerId: string;
  readonly idempotencyKey: string;
  readonly givenDigest: string;
  readonly resolvedDigest: string;
  readonly operation: string;
  readonly operationVersion: number;
  readonly fallbackProviders: readonly string[];
  readonly input: Json;
  readonly metadata: Json;
  readonly priority: number;
  readonly notBefore: Date | null;
  readonly traceparent: string | null;
  readonly terms: AttemptTerms;
  readonly actor: Actor;
}

/** The recorded side of a key, enough to tell whether a repeat is the same intent. */
export interface KeyHolder {
  readonly jobId: string;
  readonly givenDigest: string;
  readonly resolvedDigest: string;
}

/** `created: false` says only that the key was taken: whether by the same intent, the digests tell. */
export type CreateJobAnswer =
  | { readonly created: true; readonly jobId: string }
  | { readonly created: false; readonly holder: KeyHolder };

/** At most so many new jobs of one owner within any span of so many milliseconds. */
export interface CreationLimit {
  readonly count: number;
  readonly perMs: number;
}

/** Asks for the places of the jobs that are new: of all of them, or of none. A key that is held takes no place. */
export interface TakeCreations {
  readonly ownerId: string;
  /** Each once. */
  readonly idempotencyKeys: readonly string[];
  readonly limit: CreationLimit;
}

/** Refused, it says when there would be room if nobody else took it; null where it is more than the limit itself. */
export type TakeCreationsAnswer =
  | { readonly granted: true }
  | { readonly granted: false; readonly retryAfterMs: number | null };

/** Which jobs a caller may name: one owner's, or with null everyone's. */
export type Scope = string | null;

export interface RetryJob {
  readonly jobId: string;
  readonly scope: Scope;
  readonly afterAttemptId: string;
  /** Another provider than the last attempt's, or null for the same. */
  readonly provider: string | null;
  /** The terms of an attempt at this operation on this provider; null where the configuration has dropped either. */
  termsFor(
    operation: string,
    provider: string,
  ): (AttemptTerms & { readonly operationVersion: number; readonly contractDigest: string }) | null;
  /** Who lets it start without a certification, and why; null where nobody does. */
  readonly override: { readonly by: string; readonly reason: string } | null;
  /** Why it is retried, for the audit log, if an operator does. */
  readonly reason?: string | null;
  readonly actor: Actor;
}

export type RetryJobAnswer =
  | { readonly kind: "started"; readonly jobId: string; readonly attemptId: string }
  | { readonly kind: "in-flight"; readonly jobId: string; readonly attemptId: string }
  | { readonly kind: "outdated"; readonly jobId: string; readonly latestAttemptId: string }
  | { readonly kind: "closed" | "purged"; readonly jobId: string }
  | {
      readonly kind: "not-certified";
      readonly provider: string;
      readonly reason: NotCertifiedReason;
      readonly certificationId: string | null;
    }
  | { readonly kind: "dropped"; readonly operation: string; readonly provider: string }
  | { readonly kind: "not-found" };

export interface CancelAttempt {
  readonly attemptId: string;
  readonly scope: Scope;
  readonly isOperator: boolean;
  /** Whether the operation lets its owner cancel what a worker has. */
  ownerMayCancel(operation: string): boolean;
  readonly reason: string | null;
  readonly actor: Actor;
}

export type CancelAttemptAnswer =
  | { readonly kind: "cancelled"; readonly jobId: string; readonly attemptId: string; readonly repeated: boolean }
  | { readonly kind: "closed"; readonly attemptId: string }
  | { readonly kind: "operators-only"; readonly attemptId: string }
  | { readonly kind: "not-found" };

export interface CancelJob {
  readonly jobId: string;
  readonly scope: Scope;
  readonly reason: string | null;
  /** Names the call that withdraws it with others: one act to the audit log. */
  readonly call?: string;
  readonly actor: Actor;
}

export type CancelJobAnswer =
  | {
      readonly kind: "cancelled";
      readonly jobId: string;
      readonly cancelledAttemptId: string | null;
      readonly repeated: boolean;
    }
  | { readonly kind: "closed"; readonly jobId: string }
  | { readonly kind: "not-found" };
