/**
 * Tokens for one job: signed by this server for an owner's backend, which hands them to a browser. They are JWTs of a kind
 * of their own, so no token of an identity provider passes as one, nor one of them as an identity.
 */
import { hkdfSync } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { SignJobToken, Viewer } from "../../graphql/context.ts";
import { wallClock } from "../../runtime/clock.ts";
import { decodeId, encodeId } from "../../store/ids.ts";
import type { JobTokenSettings } from "../config/read-job-tokens.ts";
import type { Authenticator } from "./authenticator.ts";
import { bearerToken } from "./bearer.ts";
import { mostTelling, type Unrecognised } from "./unrecognised.ts";

const algorithm = "HS256";
const typ = "job+jwt";
const issuer = "onejob";
const audience = "onejob:job";

/** What a token says beside its times. */
const claimsShape = z.object({
  sub: z.string().min(1),
  job: z.string(),
  may: z.array(z.enum(["retry", "cancel"])),
  exp: z.int(),
});

/** The key that signs is derived, not the secret: where one secret serves identity JWTs as well, the signatures differ. */
export function jobTokenKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", audience, 32));
}

/** Instants in a token are whole seconds: a token lives what was asked for, less the part of a second that has begun. */
function seconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1_000);
}

export function jobTokenSigner({ secrets: [secret] }: JobTokenSettings): SignJobToken {
  const key = jobTokenKey(secret);
  return async ({ ownerId, job, expiresInSeconds }) => {
    const issuedAt = seconds(wallClock());
    const expiresAt = issuedAt + expiresInSeconds;
    const may = [...(job.mayRetry ? ["retry"] : []), ...(job.mayCancel ? ["cancel"] : [])];
    const token = await new SignJWT({ job: encodeId("job", job.jobId), may })
      .setProtectedHeader({ alg: algorithm, typ })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(ownerId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(key);
    return { token, expiresAt: new Date(expiresAt * 1_000) };
  };
}

/** Whom the claims of a verified token stand for; null where they are not what is signed here. */
function viewerOf(payload: unknown): Viewer | null {
  const claims = claimsShape.safeParse(payload).data;
  const jobId = claims === undefined ? null : decodeId("job", claims.job);
  if (claims === undefined || jobId === null) return null;
  const { sub, may, exp } = claims;
  return {
    ownerId: sub,
    // No role: whatever asks for one is closed to it, and what is open says so in graphql/authorise.ts.
    roles: new Set(),
    providers: null,
    expiresAt: new Date(exp * 1_000),
    onlyJob: { jobId, mayRetry: may.includes("retry"), mayCancel: may.includes("cancel") },
  };
}

async function verify(token: string, key: Uint8Array): Promise<Viewer | Unrecognised> {
  try {
    const options = { algorithms: [algorithm], typ, issuer, audience, currentDate: wallClock() };
    return viewerOf((await jwtVerify(token, key, options)).payload) ?? { reason: "wrong-token" };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { reason: "expired" };
    if (error instanceof errors.JOSEError) return { reason: "wrong-token" };
    throw error;
  }
}

export function jobTokenAuthenticator({ secrets }: JobTokenSettings): Authenticator {
  const keys = secrets.map(jobTokenKey);
  return {
    isOpen: false,
    async recognise(authorization) {
      const token = bearerToken(authorization);
      if (typeof token !== "string") return token;
      const refusals: Unrecognised[] = [];
      for (const key of keys) {
        const recognised = await verify(token, key);
        if (!("reason" in recognised)) return recognised;
        // Expired is said only of a signature that is right, which another key's is not.
        refusals.push(recognised);
      }
      return mostTelling(refusals);
    },
  };
}
