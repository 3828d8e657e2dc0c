/** The terms of an attempt: what an operation and a provider, as configured, fix for it. Whether it may start is not decided here. */
import type { Catalog } from "./operation.ts";

export interface ConfiguredTerms {
  readonly provider: string;
  readonly providerRevision: string;
  readonly attemptTimeoutMs: number;
  readonly leaseMs: number;
  readonly operationVersion: number;
  readonly contractDigest: string;
}

/** Null where the configuration knows either no more, or does not offer the operation on that provider. */
export function termsFor(catalog: Catalog, operationName: string, providerName: string): ConfiguredTerms | null {
  const operation = catalog.operations.get(operationName);
  const provider = catalog.providers.get(providerName);
  if (operation === undefined || provider === undefined || !operation.providers.includes(providerName)) return null;
  return {
    provider: provider.name,
    providerRevision: provider.revision,
    attemptTimeoutMs: operation.attemptTimeoutMs,
    leaseMs: operation.leaseMs,
    operationVersion: operation.version,
    contractDigest: operation.contractDigest,
  };
}
