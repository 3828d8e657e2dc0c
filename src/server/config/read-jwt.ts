/** Reads how JSON Web Tokens are judged. No token is judged here, and no key fetched; a fault never quotes a secret. */
import { createSecretKey, type KeyObject } from "node:crypto";
import { z } from "zod";
import { isLoopback } from "../loopback.ts";
import { notSet, type Report, readShape, wholeNumber } from "./read-shape.ts";
import { strongSecrets } from "./strong-secret.ts";

export interface JwtSettings {
  /** What verifies a signature: any of the secrets, or the keys that the issuer publishes. */
  readonly keys: { readonly secrets: readonly KeyObject[] } | { readonly url: URL };
  /** Null where any will do. */
  readonly issuer: string | null;
  /** Of these a token names one; null where any will do, or none. */
  readonly audience: readonly string[] | null;
  readonly rolesClaim: string;
  readonly providersClaim: string;
  readonly clockToleranceSeconds: number;
}

const name = z.string().min(1, { error: "must not be empty" }).max(1_024, { error: "is longer than 1,024 characters" });

/** Keys that come over a wire in plain text are whoever's stands on the wire. */
function addressFault(text: string): string | null {
  if (!URL.canParse(text)) return "is no address: write https://…";
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return "must hold no user name and no password";
  if (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) return null;
  return "must begin with https://, unless it is on this machine";
}

const address = z.string().superRefine((text, context) => {
  const fault = addressFault(text);
  if (fault !== null) context.addIssue({ code: "custom", message: fault });
});

const shape = z.strictObject({
  secret: strongSecrets.optional(),
  jwksUrl: address.optional(),
  issuer: name.optional(),
  audience: z
    .union([name, z.array(name).min(1, { error: "names nobody" })], { error: "must be a name or a list of names" })
    .optional(),
  rolesClaim: name.default("roles"),
  providersClaim: name.default("providers"),
  clockToleranceSeconds: wholeNumber(0, 300).default(30),
});

function reportTogether(given: Readonly<Record<string, unknown>>, report: Report): void {
  const has = (setting: string) => given[setting] !== undefined;
  if (has("secret") && has("jwksUrl")) report("auth.jwt", "has both secret and jwksUrl: leave one of them out");
  const named = ["secret", "jwksUrl"].find((setting) => setting in given);
  if (!has("secret") && !has("jwksUrl"))
    if (named !== undefined) report(`auth.jwt.${named}`, notSet);
    else report("auth.jwt", "needs a secret or a jwksUrl to verify tokens with");
  // An issuer signs for many: without both, a token that was made for another service would do here.
  if (has("jwksUrl"))
    for (const setting of ["issuer", "audience"])
      if (!has(setting))
        report(`auth.jwt.${setting}`, "is required beside jwksUrl: else any token of that issuer would do");
}

export function readJwt(value: unknown, report: Report): JwtSettings | null {
  if (typeof value === "object" && value !== null) reportTogether(value as Record<string, unknown>, report);
  const read = readShape(shape, value, "auth.jwt", report);
  if (read === null) return null;
  const { secret = [], jwksUrl, issuer = null, audience = null, ...rest } = read;
  return {
    ...rest,
    // Kept as keys, which show nothing of themselves when they are printed.
    keys:
      jwksUrl === undefined
        ? { secrets: secret.map((text) => createSecretKey(Buffer.from(text))) }
        : { url: new URL(jwksUrl) },
    issuer,
    audience: typeof audience === "string" ? [audience] : audience,
  };
}
