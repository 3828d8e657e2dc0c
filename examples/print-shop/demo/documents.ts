/** The GraphQL documents that the demo sends, and the shapes of what comes back. They ask for what the story shows, and no more. */
import type { PrintInput } from "../print-into-tray.ts";

export interface AttemptView {
  readonly id: string;
  readonly number: number;
  readonly providerName: string;
  readonly state: string;
  readonly effectUncertain: boolean;
  readonly lateResultAt: string | null;
  readonly failure: { readonly code: string } | null;
}

export interface JobView {
  readonly id: string;
  readonly state: string;
  readonly result: { readonly fileName: string; readonly pageCount: number; readonly sha256: string } | null;
  readonly winner: { readonly number: number } | null;
  readonly attempts: { readonly nodes: readonly AttemptView[] };
}

/** A member of an answer's union: the fields that are there depend on `__typename`. */
export interface Answer {
  readonly __typename: string;
  readonly message?: string;
  readonly reason?: string;
  readonly created?: boolean;
  readonly job?: { readonly id: string; readonly state: string };
  readonly attempt?: { readonly id: string; readonly number: number; readonly state: string };
  readonly existingJob?: { readonly id: string };
  readonly differences?: readonly string[];
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
}

export interface JobEvent {
  readonly number: number;
  readonly type: string;
  readonly attempt: { readonly id: string; readonly number: number; readonly providerName: string } | null;
  readonly cause: string;
  readonly detail: Readonly<Record<string, unknown>> | null;
  readonly at: string;
}

export interface ProgressView {
  readonly latestAttempt: { readonly number: number; readonly providerName: string };
  readonly progress: { readonly fraction: number | null; readonly message: string | null } | null;
}

export interface CreateJobInput {
  readonly idempotencyKey: string;
  readonly operation: string;
  readonly provider: string;
  readonly input: PrintInput;
}

export interface RetryJobInput {
  readonly jobId: string;
  readonly afterAttemptId: string;
  readonly provider?: string;
  readonly overrideGate?: boolean;
  readonly reason?: string;
}

export const createJob = `
  mutation CreateJob($input: CreateJobInput!) {
    createJob(input: $input) {
      __typename
      ... on CreateJobSuccess { created job { id state } }
      ... on IdempotencyConflict { existingJob { id } differences }
      ... on InvalidInput { issues { path message } }
      ... on UserError { message }
    }
  }`;

export const retryJob = `
  mutation RetryJob($input: RetryJobInput!) {
    retryJob(input: $input) {
      __typename
      ... on RetryJobSuccess { job { id state } attempt { id number state } }
      ... on AttemptInFlight { attempt { id number state } }
      ... on ProviderNotCertified { reason }
      ... on InvalidInput { issues { path message } }
      ... on UserError { message }
    }
  }`;

export const cancelAttempt = `
  mutation CancelAttempt($input: CancelAttemptInput!) {
    cancelAttempt(input: $input) {
      __typename
      ... on CancelAttemptSuccess { job { id state } attempt { id number state } }
      ... on UserError { message }
    }
  }`;

export const readJob = `
  query Job($id: ID!) {
    job(id: $id) {
      id
      state
      result
      winner { number }
      attempts { nodes { id number providerName state effectUncertain lateResultAt failure { code } } }
    }
  }`;

export const jobEvents = `
  subscription JobEvents($jobId: ID!) {
    jobEvents(jobId: $jobId) {
      number
      type
      attempt { id number providerName }
      cause
      detail
      at
    }
  }`;

export const jobUpdated = `
  subscription JobUpdated($id: ID!) {
    jobUpdated(id: $id) {
      latestAttempt { number providerName }
      progress { fraction message }
    }
  }`;
