/** The little world that every seed plays in: operations, providers, owners and workers, as plain data. The model and the driver read it alike. */

export interface OperationSettings {
  readonly effectClass: "KEYED" | "BLIND";
  readonly maxAttempts: number;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
  readonly attemptTimeoutMs: number;
  readonly leaseMs: number;
  readonly ownerMayCancel: boolean;
}

export const operations: Readonly<Record<string, OperationSettings>> = {
  print: {
    effectClass: "KEYED",
    maxAttempts: 3,
    initialDelayMs: 40,
    maxDelayMs: 60,
    attemptTimeoutMs: 60_000,
    leaseMs: 20_000,
    ownerMayCancel: false,
  },
  mail: {
    effectClass: "BLIND",
    maxAttempts: 2,
    initialDelayMs: 0,
    maxDelayMs: 0,
    attemptTimeoutMs: 15_000,
    leaseMs: 30_000,
    ownerMayCancel: true,
  },
};

export const contractDigest = "contract";
export const operationVersion = 1;

/** The first is each operation's default target, the others its default fallbacks. */
export const providers = ["inkjet", "laser", "plotter"] as const;
/** Named by jobs, and dropped from the configuration. */
export const droppedProvider = "telex";

export const owners = ["ann", "bob"] as const;
export const operator = "olga";
export const mostKeysPerOwner = 4;

/** Subjects of workers' tokens, with the providers that each token names; null for all. */
export const workers: Readonly<Record<string, readonly string[] | null>> = {
  wim: null,
  eva: null,
  ida: ["inkjet", "laser"],
};
