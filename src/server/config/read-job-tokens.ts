/** Reads the secrets of tokens for one job. What such a token is, auth/job-tokens.ts says. */
import { z } from "zod";
import { digestToken, type TokenGrant } from "../auth/authenticator.ts";
import { type Report, readShape } from "./read-shape.ts";
import { strongSecrets } from "./strong-secret.ts";

export interface JobTokenSettings {
  /** The first signs, all verify. */
  readonly secrets: readonly [string, ...string[]];
}

const where = "auth.jobTokens";
const shape = z.strictObject({ secret: strongSecrets });

/** Null without `auth.jobTokens`, or after its faults were reported. A fault never quotes a secret. */
export function readJobTokens(value: unknown, tokens: readonly TokenGrant[], report: Report): JobTokenSettings | null {
  if (value === undefined) return null;
  const [signing, ...former] = readShape(shape, value, where, report)?.secret ?? [];
  if (signing === undefined) return null;
  for (const secret of [signing, ...former]) {
    const digest = digestToken(secret);
    if (tokens.some((grant) => grant.digest.equals(digest)))
      report(
        `${where}.secret`,
        "is also one of auth.tokens: whoever holds that token could sign in every owner's name",
      );
  }
  return { secrets: [signing, ...former] };
}
