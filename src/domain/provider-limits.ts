/** What the configuration allows on a provider over all processes, in the shape in which a claim hands it to the store. It enforces nothing. */
import type { Pace, Provider } from "./operation.ts";

export interface ProviderLimits {
  readonly provider: string;
  /** Null for any number. */
  readonly maxRunning: number | null;
  readonly pace: Pace | null;
}

/** Of those providers that have a limit. */
export function limitsOf(providers: readonly Provider[]): ProviderLimits[] {
  return providers.flatMap(({ name, maxRunning = null, pace = null }) =>
    maxRunning === null && pace === null ? [] : [{ provider: name, maxRunning, pace }],
  );
}
