/** What the verbs that are operators' business are asked and what they answer, as types alone. The others are commands.ts. */
import type { Actor } from "../domain/event.ts";
import type { Json } from "../domain/json.ts";
import type { Failure } from "../domain/outcome.ts";

/** What became of an attempt, as it was found out elsewhere. */
export type FoundOutcome =
  | { readonly kind: "SUCCEEDED"; readonly result: Json }
  | {
      readonly kind: "FAILED";
      readonly failure: Failure;
      /** True where an effect, or a bill, may exist all the same. */
      readonly effectUncertain: boolean;
    };

export interface ResolveAttempt {
  readonly attemptId: string;
  readonly outcome: FoundOutcome;
  /** How the outcome was found out; kept in the job's events. */
  readonly evidence: string;
  /** What the audit log calls the act. */
  readonly action: "resolveAttempt" | "lookUpAttempt";
  /** Why it was done, for the audit log; the evidence where nothing else is said. */
  readonly reason?: string | null;
  readonly actor: Actor;
}

export type ResolveAttemptAnswer =
  | { readonly kind: "resolved"; readonly jobId: string; readonly attemptId: string; readonly repeated: boolean }
  | {
      readonly kind: "discarded";
      readonly jobId: string;
      readonly attemptId: string;
      readonly winnerId: string | null;
    }
  | { readonly kind: "closed"; readonly attemptId: string }
  /** Nothing has been sent for a QUEUED attempt, so there is nothing to find out. */
  | { readonly kind: "not-started"; readonly attemptId: string }
  | { readonly kind: "not-found" };

export interface PauseProvider {
  readonly provider: string;
  readonly reason: string;
  readonly actor: Actor;
}

/** `repeated`: it was paused before, and who did so and why is as it was. */
export interface PauseProviderAnswer {
  readonly kind: "paused";
  readonly repeated: boolean;
}

export interface ResumeProvider {
  readonly provider: string;
  /** For the audit log. */
  readonly reason?: string | null;
  readonly actor: Actor;
}

export interface ResumeProviderAnswer {
  readonly kind: "resumed";
  readonly repeated: boolean;
}

export interface ReleaseKey {
  readonly ownerId: string;
  readonly idempotencyKey: string;
  readonly reason: string;
  readonly actor: Actor;
}

export type ReleaseKeyAnswer =
  | { readonly kind: "released"; readonly jobId: string }
  /** The job has not been purged, or was retried after that. */
  | { readonly kind: "in-use"; readonly jobId: string }
  | { readonly kind: "not-found" };

/** A provider was asked what became of an attempt, and could not tell. */
export interface MarkLookedUp {
  readonly attemptId: string;
  /** What the provider said all the same, for the audit log. */
  readonly learnt: string | null;
  /** Why it was asked, likewise. */
  readonly reason?: string | null;
  readonly actor: Actor;
}

export interface MarkLookedUpAnswer {
  readonly kind: "marked" | "closed" | "not-found";
}
