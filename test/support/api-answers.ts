/** What the documents of schema/operations ask for, as types: as much of it as the tests look at. */

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
}

export interface Progress {
  readonly fraction: number | null;
  readonly message: string | null;
}

export interface AttemptView {
  readonly id: string;
  readonly number: number;
  readonly providerName: string;
  readonly state: string;
  readonly jobVersion: number;
  readonly workerId: string | null;
  readonly providerRequestId: string | null;
  readonly progress: Progress | null;
  readonly failure: Failure | null;
  readonly effectUncertain: boolean;
  readonly viewerCanCancel: boolean;
  readonly scheduledAt: string;
  readonly leaseExpiresAt: string | null;
  readonly lateResultAt: string | null;
}

export interface EventView {
  readonly jobId: string;
  readonly number: number;
  readonly type: string;
  readonly jobState: string;
  readonly attemptState: string | null;
  readonly attempt: { readonly id: string; readonly number: number } | null;
  readonly cause: string;
  readonly actor: string | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
  readonly at: string;
}

export interface JobView {
  readonly id: string;
  readonly idempotencyKey: string;
  readonly operationName: string;
  readonly providerName: string;
  readonly fallbackProviderNames: readonly string[];
  readonly state: string;
  readonly version: number;
  readonly lastEventNumber: number;
  readonly result: unknown;
  readonly failure: Failure | null;
  readonly progress: Progress | null;
  readonly winner: { readonly id: string; readonly number: number; readonly providerName: string } | null;
  readonly latestAttempt: AttemptView;
  readonly viewerCanRetry: boolean;
  readonly viewerCanCancel: boolean;
}

/** The query Job asks for more than the fields that every document has. */
export interface WholeJob extends JobView {
  readonly attempts: { readonly nodes: readonly AttemptView[] };
  readonly events: readonly Omit<EventView, "attempt">[];
}

export interface ClaimView {
  readonly attempt: AttemptView & { readonly job: { readonly id: string; readonly state: string } };
  readonly leaseToken: string;
  readonly operationName: string;
  readonly input: unknown;
  readonly providerIdempotencyKey: string;
  readonly traceparent: string | null;
  readonly leaseMs: number;
  readonly deadlineMs: number;
}

export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** A member of a mutation's union: which of the fields are there, `__typename` says. */
export interface Answer {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly created?: boolean;
  readonly job?: JobView;
  readonly jobs?: readonly JobView[];
  readonly hasMore?: boolean;
  readonly existingJob?: JobView;
  readonly differences?: readonly string[];
  readonly issues?: readonly Issue[];
  readonly attempt?: AttemptView;
  readonly latestAttempt?: AttemptView;
  readonly winner?: { readonly number: number; readonly providerName: string } | null;
  readonly reason?: string;
  readonly claims?: readonly ClaimView[];
  readonly results?: readonly Answer[];
  readonly leaseExpiresAt?: string | null;
  readonly leaseMs?: number;
  readonly token?: string;
  readonly expiresAt?: string;
}
