/** What a provider may answer and what a failure says. It maps no HTTP status: an adapter owns that mapping. */
import type { Json } from "./json.ts";

export const remedies = ["NONE", "OTHER_PROVIDER", "SAME_PROVIDER"] as const;
export type Remedy = (typeof remedies)[number];

/** Why an attempt or a job is not a success. `code` is short and stable, for programs; `message` is for people. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly remedy: Remedy;
}

/**
 * What became of one attempt, as its provider or worker saw it.
 * `failed` is certain: nothing happened, or the provider said no. Everything unclear is `unknown`.
 */
export type Outcome =
  | { readonly kind: "succeeded"; readonly result: Json }
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "unknown"; readonly failure: Failure };

/** 0 to 1, or null while the total is not known. */
export interface ProgressReport {
  readonly fraction: number | null;
  readonly message: string | null;
}

/** Of a result as JSON in UTF-8, from a worker and from a provider in the server alike. */
export const maxResultBytes = 1024 * 1024;

export const failureCodes = {
  attemptCancelled: "ATTEMPT_CANCELLED",
  deadlineExceeded: "DEADLINE_EXCEEDED",
  leaseExpired: "LEASE_EXPIRED",
  nonconformingResult: "NONCONFORMING_RESULT",
  unstorableResult: "UNSTORABLE_RESULT",
  providerCrashed: "PROVIDER_CRASHED",
  aborted: "ABORTED",
  resolvedFailed: "RESOLVED_FAILED",
} as const;
