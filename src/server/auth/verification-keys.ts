/** Verifies a token's signature with whichever of the configured keys fits. What the claims mean is not looked at. */
import type { KeyObject } from "node:crypto";
import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from "jose";
import type { JwtSettings } from "../config/read-jwt.ts";
import type { ServerLog } from "../log.ts";
import { type KeySetTimes, openKeySet } from "./key-set.ts";

export interface Verification {
  /** Throws jose's errors, or KeySetUnavailable. */
  verify(token: string, checks: JWTVerifyOptions): Promise<JWTPayload>;
}

/** A public key must never be taken for a secret, nor the other way round, so each kind of key has its own algorithms. */
const secretAlgorithms = ["HS256"];
const publicAlgorithms = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");

/** With the first key whose signature it is. */
async function verifyWithAny(
  keys: Iterable<KeyObject> | AsyncIterable<CryptoKey>,
  token: string,
  checks: JWTVerifyOptions,
): Promise<JWTPayload> {
  for await (const key of keys) {
    try {
      return (await jwtVerify(token, key, checks)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
}

export function openVerification(keys: JwtSettings["keys"], log: ServerLog, times: KeySetTimes): Verification {
  if ("secrets" in keys) {
    return {
      verify: (token, checks) => verifyWithAny(keys.secrets, token, { ...checks, algorithms: secretAlgorithms }),
    };
  }
  const keySet = openKeySet(keys.url, log, times);
  return {
    async verify(token, given) {
      const checks = { ...given, algorithms: publicAlgorithms };
      try {
        return (await jwtVerify(token, keySet, checks)).payload;
      } catch (error) {
        // A token that names no key, and an issuer that has several.
        if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
        return verifyWithAny(error, token, checks);
      }
    },
  };
}
