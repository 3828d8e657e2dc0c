/** The refusals that a caller can act on, as values. They are answers, not exceptions, and each one has written nothing. */

/** One fault of an input: `path` is a JSON Pointer into the mutation's input. */
export interface InputIssue {
  readonly path: string;
  readonly message: string;
}

export const errorCodes = [
  "IDEMPOTENCY_CONFLICT",
  "INVALID_INPUT",
  "NOT_FOUND",
  "ATTEMPT_IN_FLIGHT",
  "RETRY_OUTDATED",
  "JOB_CLOSED",
  "ATTEMPT_CLOSED",
  "LEASE_LOST",
  "RESULT_DISCARDED",
  "PROVIDER_NOT_CERTIFIED",
  "KEY_IN_USE",
  "RESULT_REJECTED",
  "LOOKUP_UNAVAILABLE",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

export const notCertifiedReasons = [
  "NEVER_RUN",
  "STILL_RUNNING",
  "FAILED",
  "INCONCLUSIVE",
  "EXPIRED",
  "REVOKED",
  "CONTRACT_CHANGED",
  "PROVIDER_CHANGED",
] as const;
export type NotCertifiedReason = (typeof notCertifiedReasons)[number];
