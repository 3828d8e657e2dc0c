/** Reads the secrets of tokens for one job. What such a token is, auth/job-tokens.ts says. */
import { z } from "zod";
import { digestToken, type TokenGrant } from "../auth/authenticator.ts";
import { type Report, readShape } from "./read-shape.ts";
import { secretShape } from "./secret-shape.ts";

export interface JobTokenSettings {
  /** The first signs, all verify. */
  readonly secrets: readonly [string, ...string[]];
}

const where = "auth.jobTokens";
const shape = z.strictObject({
  secret: z.union([z.string(), z.array(z.unknown())], { error: "must be a text or a list of texts" }),
});

interface Secret {
  readonly place: string;
  readonly secret: string;
}

function readSecrets(given: string | readonly unknown[], report: Report): Secret[] {
  const place = `${where}.secret`;
  if (Array.isArray(given) && given.length === 0) report(place, "is empty: name the secret that signs");
  const elements =
    typeof given === "string"
      ? [[place, given] as const]
      : given.map((one, index) => [`${place}[${index}]`, one] as const);
  return elements.flatMap(([at, element]) => {
    const secret = readShape(secretShape(), element, at, report);
    return secret === null ? [] : [{ place: at, secret }];
  });
}

/** Null without `auth.jobTokens`, or after its faults were reported. A fault never quotes a secret. */
export function readJobTokens(value: unknown, tokens: readonly TokenGrant[], report: Report): JobTokenSettings | null {
  if (value === undefined) return null;
  const read = readShape(shape, value, where, report);
  if (read === null) return null;
  const secrets = readSecrets(read.secret, report);
  for (const [index, { place, secret }] of secrets.entries()) {
    const digest = digestToken(secret);
    if (tokens.some((grant) => grant.digest.equals(digest)))
      report(place, "is also one of auth.tokens: whoever holds that token could sign in every owner's name");
    const first = secrets.findIndex((other) => other.secret === secret);
    if (first !== index) report(place, `is the same as ${secrets[first]?.place}`);
  }
  const [signing, ...former] = secrets.map(({ secret }) => secret);
  return signing === undefined ? null : { secrets: [signing, ...former] };
}
