/** Who a caller is, by what stands in its Authorization header. It allows nothing: that is each resolver's business. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Role, Viewer } from "../../graphql/context.ts";

/** A static token as it is kept: its digest, and whom it stands for. */
export interface TokenGrant {
  /** SHA-256 of the token. */
  readonly digest: Buffer;
  readonly viewer: Viewer;
}

/** Why nobody was recognised, for the caller's eyes. */
export interface Unrecognised {
  readonly reason: "no-token" | "wrong-token" | "expired-token";
}

export interface Authenticator {
  /** Whether a call without a token has an owner. */
  readonly isOpen: boolean;
  /** `authorization` is the header's value, or null without one. */
  recognise(authorization: string | null): Promise<Viewer | Unrecognised>;
}

const everyRole: ReadonlySet<Role> = new Set(["OWNER", "WORKER", "OPERATOR"]);

export function digestToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** What stands behind `Bearer` in the header; null for another scheme, and without one. */
export function bearerToken(authorization: string | null): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization?.trim() ?? "")?.[1] ?? null;
}

/** Without configured authentication: one owner, "local", with every role. Only for a server on loopback. */
export function localAuthenticator(): Authenticator {
  const viewer: Viewer = { ownerId: "local", roles: everyRole, providers: null, expiresAt: null, onlyJob: null };
  return { isOpen: true, recognise: async () => viewer };
}

/** The time that a comparison takes tells nothing about the tokens: digests are compared, each of them, to the end. */
export function tokenAuthenticator(grants: readonly TokenGrant[]): Authenticator {
  return {
    isOpen: false,
    async recognise(authorization) {
      if (authorization === null) return { reason: "no-token" };
      const token = bearerToken(authorization);
      if (token === null) return { reason: "wrong-token" };
      const digest = digestToken(token);
      const matching = grants.filter((grant) => timingSafeEqual(grant.digest, digest));
      return matching[0]?.viewer ?? { reason: "wrong-token" };
    },
  };
}
