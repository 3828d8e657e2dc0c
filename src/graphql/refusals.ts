/**
 * The refusals of the API as values: each is a member of a mutation's union, named by `__typename`, and says to people
 * what to do. Their GraphQL types are in types/refusals.ts; what belongs to no union is in errors.ts.
 */
import type { ErrorCode, InputIssue, NotCertifiedReason } from "../domain/refusal.ts";
import { listed, quoted } from "./wording.ts";

/** A member of a union: GraphQL finds its type by the name. */
export type Member<Name extends string, Fields = object> = { readonly __typename: Name } & Fields;

export interface AboutJob {
  readonly jobId: string;
}

export interface AboutAttempt extends AboutJob {
  readonly attemptId: string;
}

type Refusal<Name extends string, Fields = object> = Member<Name, Fields & { readonly message: string }>;

export type InvalidInput = Refusal<"InvalidInput", { readonly issues: readonly InputIssue[] }>;
export type NotFound = Refusal<"NotFound">;
export type IdempotencyConflict = Refusal<
  "IdempotencyConflict",
  AboutJob & { readonly differences: readonly string[] }
>;
export type AttemptInFlight = Refusal<"AttemptInFlight", AboutAttempt>;
export type RetryOutdated = Refusal<"RetryOutdated", AboutAttempt>;
export type JobClosed = Refusal<"JobClosed", AboutJob>;
export type AttemptClosed = Refusal<"AttemptClosed", { readonly attemptId: string }>;
export type LeaseLost = Refusal<"LeaseLost", { readonly attemptId: string }>;
export type LookupUnavailable = Refusal<"LookupUnavailable", { readonly attemptId: string }>;
export type ResultDiscarded = Refusal<"ResultDiscarded", AboutAttempt & { readonly winnerId: string | null }>;
export type ResultRejected = Refusal<"ResultRejected", AboutAttempt & { readonly issues: readonly InputIssue[] }>;
export type KeyInUse = Refusal<"KeyInUse", AboutJob>;
export type ProviderNotCertified = Refusal<
  "ProviderNotCertified",
  { readonly provider: string; readonly reason: NotCertifiedReason; readonly certificationId: string | null }
>;

export const errorCodeOf = {
  InvalidInput: "INVALID_INPUT",
  NotFound: "NOT_FOUND",
  IdempotencyConflict: "IDEMPOTENCY_CONFLICT",
  AttemptInFlight: "ATTEMPT_IN_FLIGHT",
  RetryOutdated: "RETRY_OUTDATED",
  JobClosed: "JOB_CLOSED",
  AttemptClosed: "ATTEMPT_CLOSED",
  LeaseLost: "LEASE_LOST",
  LookupUnavailable: "LOOKUP_UNAVAILABLE",
  ResultDiscarded: "RESULT_DISCARDED",
  ResultRejected: "RESULT_REJECTED",
  KeyInUse: "KEY_IN_USE",
  ProviderNotCertified: "PROVIDER_NOT_CERTIFIED",
} as const satisfies Record<string, ErrorCode>;

/** More faults than this help nobody; whoever mends these will be told of the next. */
const maxIssues = 100;

export function invalidInput(issues: readonly InputIssue[]): InvalidInput {
  const [first] = issues;
  const more =
    issues.length > 1
      ? ` There ${issues.length === 2 ? "is 1 more issue" : `are ${issues.length - 1} more issues`}.`
      : "";
  const message = `The input was refused, and nothing was written. ${first?.path || "/"}: ${first?.message ?? ""}${more}`;
  return { __typename: "InvalidInput", message, issues: issues.slice(0, maxIssues) };
}

/** The same for what is not there, what is another owner's and what is no id at all: the difference is nobody's to learn. */
export function notFound(what: "job" | "attempt"): NotFound {
  return {
    __typename: "NotFound",
    message: `There is no such ${what}, or it is not yours to see: check the id and the token.`,
  };
}

export function providerNotFound(name: string, known: readonly string[]): NotFound {
  const message = `There is no provider ${quoted(name)}. Known ones: ${listed(known)}.`;
  return { __typename: "NotFound", message };
}

export function jobClosed(jobId: string, consequence: string): JobClosed {
  return {
    __typename: "JobClosed",
    message: `The job has succeeded or was cancelled, and changes no more: ${consequence}`,
    jobId,
  };
}

export function attemptClosed(attemptId: string, consequence: string): AttemptClosed {
  return {
    __typename: "AttemptClosed",
    message: `The attempt has ended, and changes no more: ${consequence}`,
    attemptId,
  };
}

export function resultDiscarded(
  { jobId, attemptId, winnerId }: AboutAttempt & { readonly winnerId: string | null },
  message: string,
): ResultDiscarded {
  return { __typename: "ResultDiscarded", message, jobId, attemptId, winnerId };
}
