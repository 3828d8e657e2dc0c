/** What the configuration says about going on after a failure, in the shape in which it is handed to the store. It decides nothing. */
import type { Catalog, EffectClass, RetryPolicy } from "./operation.ts";
import { type ConfiguredTerms, termsFor } from "./terms.ts";

export interface ConfiguredFailurePolicy {
  termsFor(operation: string, provider: string): ConfiguredTerms | null;
  /** Null for an operation that the configuration has dropped: nothing follows by itself. */
  retryOf(operation: string): (RetryPolicy & { readonly effectClass: EffectClass }) | null;
}

export function failurePolicyOf(catalog: Catalog): ConfiguredFailurePolicy {
  return {
    termsFor: (operation, provider) => termsFor(catalog, operation, provider),
    retryOf(name) {
      const operation = catalog.operations.get(name);
      return operation === undefined ? null : { ...operation.retry, effectClass: operation.effectClass };
    },
  };
}
