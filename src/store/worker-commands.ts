/** What the verbs about claims and reports are asked and what they answer, as types alone. The others are commands.ts. */
import type { Actor } from "../domain/event.ts";
import type { Attempt } from "../domain/job.ts";
import type { Json } from "../domain/json.ts";
import type { EffectClass, RetryPolicy } from "../domain/operation.ts";
import type { Failure, ProgressReport } from "../domain/outcome.ts";
import type { ProviderLimits } from "../domain/provider-limits.ts";
import type { RetryJob } from "./commands.ts";

export interface ClaimAttempts {
  readonly workerId: string;
  /** The subject of the worker's token. */
  readonly claimedBy: string;
  readonly providers: readonly string[];
  /** Of those providers the limited ones. */
  readonly limits?: readonly ProviderLimits[];
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
