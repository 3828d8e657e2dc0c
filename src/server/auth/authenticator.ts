/** Who a caller is, by what stands in its Authorization header. It allows nothing: that is each resolver's business. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Role, Viewer } from "../../graphql/context.ts";
import { bearerToken } from "./bearer.ts";
import { mostTelling, type Unrecognised } from "./unrecognised.ts";

/** A static token as it is kept: its digest, and whom it stands for. */
export interface TokenGrant {
  /** SHA-256 of the token. */
  readonly digest: Buffer;
  readonly viewer: Viewer;
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
      const token = bearerToken(authorization);
      if (typeof token !== "string") return token;
      const digest = digestToken(token);
      const matching = grants.filter((grant) => timingSafeEqual(grant.digest, digest));
      return matching[0]?.viewer ?? { reason: "wrong-token" };
    },
  };
}

/** Asks one after the other until one of them knows the token. */
export function firstOf(authenticators: readonly Authenticator[]): Authenticator {
  return {
    isOpen: authenticators.some(({ isOpen }) => isOpen),
    async recognise(authorization) {
      const refusals: Unrecognised[] = [];
      for (const authenticator of authenticators) {
        const recognised = await authenticator.recognise(authorization);
        if (!("reason" in recognised)) return recognised;
        refusals.push(recognised);
      }
      return mostTelling(refusals);
    },
  };
}
