/** What follows a certain failure by itself: another try, another provider, or nothing. It starts nothing; the store's statement does. */
import type { EffectClass, RetryPolicy } from "./operation.ts";
import type { Remedy } from "./outcome.ts";

export interface FailedAttempt {
  readonly provider: string;
  readonly remedy: Remedy;
  /** How often each provider has been tried on this job, this attempt included. */
  readonly triesByProvider: ReadonlyMap<string, number>;
  readonly fallbackProviders: readonly string[];
  readonly effectClass: EffectClass;
  readonly retry: RetryPolicy;
}

export type NextStep =
  | { readonly kind: "same-provider"; readonly provider: string; readonly delayMs: number }
  /** Providers in the order in which they may take over, each only if certified. */
  | { readonly kind: "other-provider"; readonly candidates: readonly string[] }
  | { readonly kind: "none" };

/** The wait before try number `tries + 1`: doubling from the first delay, never above the greatest. */
export function backoffMs(retry: RetryPolicy, tries: number): number {
  return Math.min(retry.maxDelayMs, retry.initialDelayMs * 2 ** Math.min(tries - 1, 30));
}

/**
 * SAME_PROVIDER uses the provider's attempts up, then turns to the fallbacks; OTHER_PROVIDER turns to them at once; NONE
 * ends it. Operations of the class BLIND never fail over by themselves.
 */
export function nextStep(failed: FailedAttempt): NextStep {
  if (failed.remedy === "NONE") return { kind: "none" };
  const tries = failed.triesByProvider.get(failed.provider) ?? 1;
  if (failed.remedy === "SAME_PROVIDER" && tries < failed.retry.maxAttempts) {
    return { kind: "same-provider", provider: failed.provider, delayMs: backoffMs(failed.retry, tries) };
  }
  if (failed.effectClass === "BLIND") return { kind: "none" };
  const candidates = failed.fallbackProviders.filter((name) => !failed.triesByProvider.has(name));
  return candidates.length === 0 ? { kind: "none" } : { kind: "other-provider", candidates };
}
