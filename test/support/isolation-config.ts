/** The configuration for the tests of isolation: ann's name is a secret itself, attempts last as long as a test, and no limit is in a walk's way. */
import { defineConfig, defineOperation, defineProvider } from "onejob";
import { z } from "zod";
import { apiConfig, tokens } from "./api-config.ts";
import { secret } from "./isolation-secrets.ts";

/** Beside the usual callers a worker for all printers that has never claimed anything. */
export const isolationTokens = { ...tokens, otherWorker: "token-of-a-worker-of-another-shop" } as const;
export const annsOwnerId = secret("owner");

/** Takes anything, and its automatic retry is an hour away. */
const paper = defineOperation({
  name: "paper",
  effectClass: "QUERYABLE",
  input: z.json(),
  output: z.json(),
  providers: ["inkjet", "laser"],
  attemptTimeoutMs: 3_600_000,
  leaseMs: 3_600_000,
  retry: { maxAttempts: 3, initialDelayMs: 3_600_000, maxDelayMs: 3_600_000 },
});

/** Refuses every result but one. */
const card = defineOperation({ ...paper, name: "card", output: z.object({ pages: z.int() }) });

const poster = defineOperation({ ...paper, name: "poster", providers: ["press"] });

/** Carried out in the server: loses sight of whatever it prints, and cannot tell what became of it. */
const press = defineProvider({
  name: "press",
  revision: "1",
  async run(call) {
    await call.acknowledge(secret("press-request"));
    return { kind: "unknown", failure: { code: "SILENT", message: secret("press-failure"), remedy: "NONE" } };
  },
  lookup: async () => null,
});

export const isolationConfig = defineConfig({
  ...apiConfig,
  operations: [...apiConfig.operations, paper, card, poster],
  providers: [...apiConfig.providers, press],
  auth: {
    tokens: [
      { token: tokens.ann, ownerId: annsOwnerId, roles: ["OWNER"] },
      { token: tokens.bob, ownerId: "bob", roles: ["OWNER"] },
      { token: tokens.worker, ownerId: "print-shop", roles: ["WORKER"] },
      { token: isolationTokens.otherWorker, ownerId: "copy-shop", roles: ["WORKER"] },
      { token: tokens.inkjetWorker, ownerId: "inkjet-shop", roles: ["WORKER"], providers: ["inkjet"] },
      { token: tokens.operator, ownerId: "olga", roles: ["OPERATOR"] },
    ],
  },
  limits: { documentTokens: 10_000, depth: 100, aliases: 1_000, complexity: 1_000_000_000 },
  http: { introspection: true },
});
