/** What each verb of the store is asked and what it answers, as types alone. Ids are UUIDs; instants are the database's. */
import type { Actor } from "../domain/event.ts";
import type { Attempt } from "../domain/job.ts";
import type { Json } from "../domain/json.ts";
import type { EffectClass, RetryPolicy } from "../domain/operation.ts";
import type { Failure, ProgressReport } from "../domain/outcome.ts";
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
  readonly actor: Actor;
}

export type RetryJobAnswer =
  | { readonly kind: "started"; readonly jobId: string; readonly attemptId: string }
  | { readonly kind: "in-flight"; readonly jobId: string; readonly attemptId: string }
  | { readonly kind: "outdated"; readonly jobId: string; readonly latestAttemptId: string }
  | { readonly kind: "closed"; readonly jobId: string }
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

export interface ClaimAttempts {
  readonly workerId: string;
  /** The subject of the worker's token. */
  readonly claimedBy: string;
  readonly providers: readonly string[];
  /** Null for every operation. */
  readonly operations: readonly string[] | null;
  readonly limit: number;
  readonly claimKey: string | null;
}

export interface Claim {
  readonly attempt: Attempt;
  readonly leaseToken: string;
  readonly operation: string;
  readonly operationVersion: number;
  readonly input: Json;
  readonly traceparent: string | null;
  readonly leaseExpiresAt: Date;
  /** Of the lease and the deadline, from the moment of the answer on, by the database's clock. */
  readonly leaseMs: number;
  readonly deadlineAt: Date;
  readonly deadlineMs: number;
}

/** Every later word of a worker about an attempt: the token proves the claim, `providers` what it may see (null: all). */
export interface WorkerReport {
  readonly attemptId: string;
  readonly leaseToken: string;
  readonly providers: readonly string[] | null;
  readonly actor: Actor;
}

export interface MarkRunning extends WorkerReport {
  readonly providerRequestId: string | null;
}

export interface Heartbeat extends WorkerReport {
  readonly progress: ProgressReport | null;
}

export interface CompleteAttempt extends WorkerReport {
  readonly result: Json;
}

export interface FailAttempt extends WorkerReport {
  readonly certain: boolean;
  readonly failure: Failure;
  /** True where an effect, or a bill, may exist although the failure is certain. */
  readonly effectUncertain: boolean;
  readonly policy: FailurePolicy;
}

/** What the store needs from the configuration to decide what follows a failure by itself. */
export interface FailurePolicy {
  termsFor: RetryJob["termsFor"];
  retryOf(operation: string): (RetryPolicy & { readonly effectClass: EffectClass }) | null;
}

/** What all reports may be refused with. */
export type ReportRefusal =
  | { readonly kind: "closed"; readonly attemptId: string; readonly jobId: string }
  | { readonly kind: "lease-lost"; readonly attemptId: string; readonly jobId: string }
  | { readonly kind: "not-found" };

interface Reported {
  readonly attemptId: string;
  readonly jobId: string;
}

export type MarkRunningAnswer = ({ readonly kind: "running" } & Reported) | ReportRefusal;

/** `leaseExpiresAt` is null for an UNKNOWN attempt, which holds no lease any more; `leaseMs` is the time to beat again within. */
export type HeartbeatAnswer =
  | ({ readonly kind: "beating"; readonly leaseExpiresAt: Date | null; readonly leaseMs: number } & Reported)
  | ReportRefusal;

export type CompleteAttemptAnswer =
  | ({ readonly kind: "completed"; readonly repeated: boolean } & Reported)
  | ({ readonly kind: "discarded"; readonly winnerId: string | null } & Reported)
  | Exclude<ReportRefusal, { kind: "closed" }>;

export type FailAttemptAnswer = ({ readonly kind: "recorded"; readonly repeated: boolean } & Reported) | ReportRefusal;

export interface Expired extends Reported {
  readonly cause: "DEADLINE" | "LEASE";
}
