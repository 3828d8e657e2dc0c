/** What the configuration declares: operations and providers, as the rest of the system sees them. It reads no file. */

import type { Json } from "./json.ts";
import type { Outcome, ProgressReport } from "./outcome.ts";
import type { InputIssue } from "./refusal.ts";

export const effectClasses = ["PURE", "KEYED", "QUERYABLE", "BLIND"] as const;
export type EffectClass = (typeof effectClasses)[number];

/** `maxAttempts` counts per provider; delays double from `initialDelayMs` up to `maxDelayMs`. */
export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
}

export interface Operation {
  readonly name: string;
  readonly version: number;
  readonly description: string | null;
  readonly effectClass: EffectClass;
  /** Digest of the contract in hexadecimal; any change of it voids certifications. */
  readonly contractDigest: string;
  /** JSON Schema 2020-12, objects closed. */
  readonly inputSchema: Json;
  readonly outputSchema: Json;
  /** Faults of a value against the schema, as JSON Pointers relative to the value; empty when it conforms. */
  judgeInput(value: Json): Promise<readonly InputIssue[]>;
  judgeOutput(value: Json): Promise<readonly InputIssue[]>;
  /** The first is the default target, the others the default fallbacks, in order. */
  readonly providers: readonly string[];
  readonly attemptTimeoutMs: number;
  readonly leaseMs: number;
  readonly cancelAttempt: "owner" | "operator";
  readonly retry: RetryPolicy;
}

/** What `run` is called with: one attempt, and the identity that every layer carries. */
export interface ProviderCall {
  readonly jobId: string;
  readonly attemptId: string;
  readonly attemptNumber: number;
  readonly operation: string;
  readonly operationVersion: number;
  readonly input: Json;
  /** The same for every attempt of this job at this provider. */
  readonly idempotencyKey: string;
  readonly deadline: Date;
  readonly signal: AbortSignal;
  readonly traceparent: string | null;
  /** Shows progress to whoever follows the job; coalesced, never an error. */
  reportProgress(progress: ProgressReport): void;
  /** The provider has taken the request: RUNNING is written, with the provider's own id where it gave one. */
  acknowledge(providerRequestId?: string): Promise<void>;
}

/** No more than so many attempts start on a provider within any span of so many milliseconds, over all processes. */
export interface Pace {
  readonly starts: number;
  readonly perMs: number;
}

export interface Provider {
  readonly name: string;
  readonly description: string | null;
  /** Changes with model, endpoint and parameters. */
  readonly revision: string;
  /** Absent for an external provider: workers carry its attempts out over the API. */
  run?(call: ProviderCall): Promise<Outcome>;
  /** What became of an attempt; null when the provider cannot tell yet. */
  lookup?(attempt: LookupCall): Promise<Outcome | null>;
  cancel?(attempt: LookupCall): Promise<void>;
  /** Attempts that one server process carries out at a time. */
  readonly concurrency: number;
  /** Attempts that may be STARTING or RUNNING at a time, over all processes and workers; the others stay QUEUED. Absent: any number. */
  readonly maxRunning?: number;
  readonly pace?: Pace;
}

export interface LookupCall {
  readonly jobId: string;
  readonly attemptId: string;
  readonly providerRequestId: string | null;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

/** Everything the configuration knows, by name. */
export interface Catalog {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly providers: ReadonlyMap<string, Provider>;
}
