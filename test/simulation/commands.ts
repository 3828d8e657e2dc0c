/** What the actors of the simulation may do, as data that can be printed and repeated. How it is done is carry-out.ts. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Remedy = "NONE" | "OTHER_PROVIDER" | "SAME_PROVIDER";

/** An intent as its owner gives it: what is absent is left to the operation's defaults. */
export interface Intent {
  readonly operation: string;
  readonly provider?: string;
  readonly fallbackProviders?: readonly string[];
  readonly input: Json;
}

/** `both` is an operator who acts on jobs of their own. */
export interface Caller {
  readonly name: string;
  readonly role: "owner" | "operator" | "both";
}

interface Report {
  readonly subject: string;
  readonly attemptId: string;
  readonly token: string;
}

export type Command =
  | {
      readonly do: "createJob";
      readonly owner: string;
      readonly key: string;
      readonly intent: Intent;
      readonly priority: number;
      /** From the moment of the call. */
      readonly delayMs: number | null;
    }
  | {
      readonly do: "claimAttempts";
      readonly subject: string;
      readonly providers: readonly string[];
      readonly operations: readonly string[] | null;
      readonly limit: number;
      readonly claimKey: string | null;
    }
  | ({ readonly do: "markRunning"; readonly requestId: string | null } & Report)
  | ({ readonly do: "heartbeat"; readonly fraction: number | null } & Report)
  | ({ readonly do: "completeAttempt"; readonly result: Json } & Report)
  | ({
      readonly do: "failAttempt";
      readonly certain: boolean;
      readonly code: string;
      readonly remedy: Remedy;
      readonly uncertain: boolean;
    } & Report)
  | { readonly do: "expireAttempts"; readonly limit: number }
  | { readonly do: "cancelAttempt"; readonly attemptId: string; readonly caller: Caller }
  | { readonly do: "cancelJob"; readonly jobId: string; readonly caller: Caller }
  | { readonly do: "cancelJobs"; readonly owner: string; readonly limit: number; readonly caller: Caller }
  | {
      readonly do: "retryJob";
      readonly jobId: string;
      readonly afterAttemptId: string;
      readonly provider: string | null;
      readonly override: boolean;
      readonly caller: Caller;
    }
  | {
      readonly do: "resolveAttempt";
      readonly attemptId: string;
      readonly result: Json;
      /** Null where the attempt succeeded, with the result. */
      readonly failed: { readonly code: string; readonly uncertain: boolean } | null;
      readonly lookedUp: boolean;
    }
  | { readonly do: "markLookedUp"; readonly attemptId: string }
  | { readonly do: "pauseProvider"; readonly provider: string }
  | { readonly do: "resumeProvider"; readonly provider: string }
  | { readonly do: "releaseKey"; readonly owner: string; readonly key: string }
  /** A certification run leaves its verdict: written in SQL, since no verb does it yet. */
  | {
      readonly do: "certify";
      readonly operation: string;
      readonly provider: string;
      readonly status: "RUNNING" | "PASSED" | "FAILED" | "INCONCLUSIVE";
      readonly expiresInMs: number | null;
    }
  | { readonly do: "revoke"; readonly certificationId: string }
  /** Retention strips a closed job: written in SQL, since no verb does it yet. */
  | { readonly do: "strip"; readonly jobId: string }
  /** Someone in psql tries what the database must refuse by itself. */
  | { readonly do: "meddle"; readonly deed: string; readonly jobId: string };

export type Verb = Command["do"];

/** What is seen of a command: its answer as plain JSON, or null where the caller was cut off and cannot know. */
export type Seen = Json;
