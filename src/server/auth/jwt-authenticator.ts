/**
 * Recognises callers by JSON Web Tokens. Signatures and times are jose's to judge, by keys from verification-keys.ts; what
 * the claims mean is read-claims.ts. Nothing is remembered of a token: to verify one costs about as much as to look it up.
 */
import { errors, type JWTVerifyOptions } from "jose";
import type { Viewer } from "../../graphql/context.ts";
import { wallClock } from "../../runtime/clock.ts";
import type { JwtSettings } from "../config/read-jwt.ts";
import type { ServerLog } from "../log.ts";
import type { Authenticator } from "./authenticator.ts";
import { bearerToken } from "./bearer.ts";
import { type KeySetTimes, KeySetUnavailable } from "./key-set.ts";
import { viewerOf } from "./read-claims.ts";
import type { Unrecognised } from "./unrecognised.ts";
import { openVerification } from "./verification-keys.ts";

/** Claims are looked at only once the signature holds, so nobody learns of them who could not have made the token. */
function refusalOf(error: errors.JOSEError): Unrecognised {
  if (error instanceof errors.JWTExpired) return { reason: "expired" };
  if (!(error instanceof errors.JWTClaimValidationFailed)) return { reason: "wrong-token" };
  const { claim, reason } = error;
  if (reason === "missing") return { reason: "missing-claim", claim };
  if (reason !== "check_failed") return { reason: "unfit-claim", claim };
  if (claim === "nbf") return { reason: "not-yet-valid" };
  return { reason: claim === "aud" ? "wrong-audience" : "wrong-issuer" };
}

export function jwtAuthenticator(settings: JwtSettings, log: ServerLog, times: KeySetTimes = {}): Authenticator {
  const { issuer, audience, clockToleranceSeconds } = settings;
  const verification = openVerification(settings.keys, log, times);
  const checks: JWTVerifyOptions = {
    requiredClaims: ["sub", "exp"],
    clockTolerance: clockToleranceSeconds,
    ...(issuer !== null && { issuer }),
    ...(audience !== null && { audience: [...audience] }),
  };

  async function viewerBy(token: string): Promise<Viewer | Unrecognised> {
    try {
      return viewerOf(await verification.verify(token, { ...checks, currentDate: wallClock() }), settings);
    } catch (error) {
      if (error instanceof KeySetUnavailable) return { reason: "unavailable" };
      if (error instanceof errors.JOSEError) return refusalOf(error);
      // A key of the issuer's that cannot be used, such as one that is too short.
      log.warn("token-not-verifiable", { error });
      return { reason: "wrong-token" };
    }
  }

  return {
    isOpen: false,
    async recognise(authorization): Promise<Viewer | Unrecognised> {
      const token = bearerToken(authorization);
      if (typeof token !== "string") return token;
      return viewerBy(token);
    },
  };
}
