/** A print shop's catalog for the runtime's tests: one operation, and the providers that a test gives it. */
import type { Catalog, Operation, Provider } from "../../src/domain/operation.ts";

export const printing: Operation = {
  name: "print",
  version: 1,
  description: null,
  effectClass: "QUERYABLE",
  contractDigest: "0".repeat(64),
  inputSchema: true,
  outputSchema: true,
  judgeInput: async () => [],
  async judgeOutput(value) {
    const isPrinted =
      typeof value === "object" && value !== null && !Array.isArray(value) && typeof value.pages === "number";
    return isPrinted ? [] : [{ path: "/pages", message: "A number is required." }];
  },
  providers: ["inkjet", "laser"],
  attemptTimeoutMs: 30_000,
  leaseMs: 15_000,
  cancelAttempt: "operator",
  retry: { maxAttempts: 3, initialDelayMs: 20, maxDelayMs: 50 },
};

let catalogs = 0;

/** Each catalog's operation has a name of its own: whoever claims by one catalog leaves another test's attempts alone. */
export function catalogOf(providers: readonly Provider[], changes: Partial<Operation> = {}): Catalog {
  catalogs += 1;
  const name = `print_${catalogs}`;
  const operation = { ...printing, name, providers: providers.map((provider) => provider.name), ...changes };
  return {
    operations: new Map([[operation.name, operation]]),
    providers: new Map(providers.map((provider) => [provider.name, provider])),
  };
}
