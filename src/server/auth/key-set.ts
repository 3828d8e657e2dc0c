/** The keys that an issuer publishes, as they are at the moment. jose keeps and renews them; this says when they cannot be had. */
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from "jose";
import { monotonicMs } from "../../runtime/clock.ts";
import type { ServerLog } from "../log.ts";

/** The issuer did not give its keys: whether the token is good is not known. */
export class KeySetUnavailable extends Error {}

export interface KeySetTimes {
  /** After which the keys are asked for again, known or not. */
  readonly maxAgeMs?: number;
  /** The least time between two fetches for the sake of keys that are not known: anybody can name such a key. */
  readonly cooldownMs?: number;
  /** After a fetch that failed, how long the issuer is left alone. */
  readonly restMs?: number;
  readonly timeoutMs?: number;
}

/** Which key a token needs is the token's own word; what is wrong with that is no fault of the issuer's. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}

export function openKeySet(url: URL, log: ServerLog, times: KeySetTimes = {}): JWTVerifyGetKey {
  const { maxAgeMs = 600_000, cooldownMs = 10_000, restMs = 1_000, timeoutMs = 5_000 } = times;
  const resting = new KeySetUnavailable("The keys could not be had a moment ago.");
  let restUntilMs = Number.NEGATIVE_INFINITY;
  let told: unknown;

  const keySet = createRemoteJWKSet(url, {
    cacheMaxAge: maxAgeMs,
    cooldownDuration: cooldownMs,
    timeoutDuration: timeoutMs,
    [customFetch]: async (address, options) => {
      if (monotonicMs() < restUntilMs) throw resting;
      return fetch(address, options);
    },
  });

  /** Callers who wait for one fetch are told of one error, and the log once. */
  function tell(error: unknown): void {
    if (error === resting || error === told) return;
    told = error;
    restUntilMs = monotonicMs() + restMs;
    // What an address has behind its path may be nobody else's business.
    const why = error instanceof Error ? (error.cause ?? error) : error;
    log.warn("key-set-unavailable", { url: `${url.origin}${url.pathname}`, error: why });
  }

  return async (header, token) => {
    try {
      return await keySet(header, token);
    } catch (error) {
      if (isAboutToken(error)) throw error;
      tell(error);
      throw new KeySetUnavailable("The issuer's keys cannot be had.", { cause: error });
    }
  };
}
