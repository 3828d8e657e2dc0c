/** The configuration on which the tests of the API run: printers that are workers' business, short and long deadlines, tokens of every role. */
import { defineConfig, defineOperation, externalProvider, type OnejobConfig } from "onejob";
import { z } from "zod";

/** Two tokens of one owner, another owner, workers for all printers and for one alone, and an operator. */
export const tokens = {
  ann: "token-of-ann-at-her-desk",
  annAtHome: "token-of-ann-at-her-home",
  bob: "token-of-bob-at-his-desk",
  worker: "token-of-a-worker-for-all-printers",
  inkjetWorker: "token-of-a-worker-for-the-inkjet",
  operator: "token-of-the-operator-olga",
} as const;
/** Signs tokens for one job. */
export const jobTokenSecret = "q8Wf3nZ0vKx5TtGm7RbYc1LsJd9HuPae2oXi4wNk6Mhy";

export type Caller = keyof typeof tokens;
/** A caller with a token that is not among these. */
export interface Bearer {
  readonly token: string;
}

export function tokenOf(caller: Caller | Bearer): string {
  return typeof caller === "string" ? tokens[caller] : caller.token;
}

const sheet = z.object({
  text: z.string(),
  copies: z.int().min(1).max(100).optional(),
  tray: z.enum(["upper", "lower"]).optional(),
});
const outcome = z.object({ pages: z.int().min(1), note: z.string().optional() });

const print = defineOperation({
  name: "print",
  version: 1,
  effectClass: "QUERYABLE",
  input: sheet,
  output: outcome,
  providers: ["inkjet", "laser"],
  attemptTimeoutMs: 30_000,
  leaseMs: 15_000,
  retry: { maxAttempts: 3, initialDelayMs: 20, maxDelayMs: 100 },
});

/** Like print, with a deadline that passes within a test. */
const quick = defineOperation({ ...print, name: "quick", attemptTimeoutMs: 300 });

/** The same, with time enough for a second attempt to do something before its own deadline. */
const brisk = defineOperation({ ...print, name: "brisk", attemptTimeoutMs: 2_500 });

/** Changes nothing in the world, so its owner may cancel an attempt that a worker has. */
const preview = defineOperation({ ...print, name: "preview", effectClass: "PURE", attemptTimeoutMs: 300 });

/** A worker that is silent for so long has lost the attempt. */
const fragile = defineOperation({ ...print, name: "fragile", leaseMs: 400 });

/** Its automatic retry is an hour away. */
const patient = defineOperation({
  ...print,
  name: "patient",
  retry: { maxAttempts: 3, initialDelayMs: 3_600_000, maxDelayMs: 3_600_000 },
});

/** Takes any JSON, and three printers carry it out. */
const any = defineOperation({
  name: "any",
  effectClass: "QUERYABLE",
  input: z.json(),
  output: z.json(),
  providers: ["inkjet", "laser", "plotter"],
});

export const apiConfig: OnejobConfig = defineConfig({
  operations: [print, quick, brisk, preview, fragile, patient, any],
  providers: ["inkjet", "laser", "plotter"].map((name) => externalProvider({ name, revision: "1" })),
  auth: {
    jobTokens: { secret: jobTokenSecret },
    tokens: [
      { token: tokens.ann, ownerId: "ann", roles: ["OWNER"] },
      { token: tokens.annAtHome, ownerId: "ann", roles: ["OWNER"] },
      { token: tokens.bob, ownerId: "bob", roles: ["OWNER"] },
      { token: tokens.worker, ownerId: "print-shop", roles: ["WORKER"] },
      { token: tokens.inkjetWorker, ownerId: "inkjet-shop", roles: ["WORKER"], providers: ["inkjet"] },
      { token: tokens.operator, ownerId: "olga", roles: ["OPERATOR"] },
    ],
  },
});
