/**
 * What a client records: a call, its answer, and when both were, by a clock that all processes of a machine share. It is plain
 * data that travels between processes as JSON; what may follow what is the registers' business.
 */

/** Calls about a key. */
export type KeyCall =
  | { readonly kind: "create"; readonly key: string; readonly intent: string }
  | { readonly kind: "readKey"; readonly key: string };

/** Calls about a job, its attempts and its result slot. */
export type JobCall =
  | { readonly kind: "complete"; readonly job: string; readonly attempt: string; readonly result: string }
  | { readonly kind: "cancelAttempt"; readonly job: string; readonly attempt: string }
  | { readonly kind: "cancelJob"; readonly job: string }
  | { readonly kind: "retry"; readonly job: string; readonly after: string }
  | { readonly kind: "readJob"; readonly job: string };

export type Call = KeyCall | JobCall;

export type Answer =
  | { readonly kind: "created" | "same" | "conflict"; readonly job: string }
  | { readonly kind: "key"; readonly job: string | null; readonly intent: string | null }
  | { readonly kind: "won" }
  | { readonly kind: "discarded"; readonly winner: string | null }
  | { readonly kind: "cancelled" }
  | { readonly kind: "closed" }
  | { readonly kind: "started" | "inFlight" | "outdated"; readonly attempt: string }
  | {
      readonly kind: "job";
      readonly state: string;
      readonly winner: string | null;
      readonly result: string | null;
      readonly latest: string;
    }
  /** Anything else that a server has answered: no register allows it. */
  | { readonly kind: "other"; readonly text: string };

export interface Timed {
  /** Right before the request left. */
  readonly invokedAt: number;
  /** Right after the answer was read; null where none came. Then the call may take effect at any later time, or never. */
  readonly answeredAt: number | null;
}

export interface Operation<Asked extends Call = Call> extends Timed {
  readonly client: number;
  readonly server: number;
  readonly call: Asked;
  readonly answer: Answer | null;
}
