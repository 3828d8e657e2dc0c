/** The configuration under which bench:live's server runs: limits as they are by default, and a provider for each use of jobs. It starts nothing. */
import { defineConfig, defineOperation, externalProvider } from "onejob";
import { z } from "zod";

/** Jobs whose attempt is fenced, jobs that a worker carries on, jobs that are created and left alone. */
export const providers = { fenced: "archive", worked: "press", left: "shelf" } as const;

/** Without authentication everybody is this owner, and may do everything. */
export const localOwner = "local";

const operationOf = (name: string, provider: string) =>
  defineOperation({
    name,
    effectClass: "PURE",
    input: z.json(),
    output: z.json(),
    providers: [provider],
    attemptTimeoutMs: 3_600_000,
    leaseMs: 3_600_000,
    retry: { maxAttempts: 100, initialDelayMs: 0, maxDelayMs: 0 },
  });

export const operations = { fenced: "file", worked: "print", left: "stack" } as const;

export const benchConfig = defineConfig({
  operations: [
    operationOf(operations.fenced, providers.fenced),
    operationOf(operations.worked, providers.worked),
    operationOf(operations.left, providers.left),
  ],
  providers: Object.values(providers).map((name) => externalProvider({ name, revision: "1" })),
});
