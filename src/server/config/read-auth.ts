/** Reads who may call. The tokens themselves are in read-tokens.ts and read-jwt.ts; nobody is recognised here. */
import { z } from "zod";
import type { TokenGrant } from "../auth/authenticator.ts";
import { type JobTokenSettings, readJobTokens } from "./read-job-tokens.ts";
import { type JwtSettings, readJwt } from "./read-jwt.ts";
import { type Report, readShape } from "./read-shape.ts";
import { readTokens } from "./read-tokens.ts";

export interface AuthSettings {
  readonly tokens: readonly TokenGrant[];
  /** Null where nobody may ask for tokens for one job. */
  readonly jobTokens: JobTokenSettings | null;
  /** Null where no JSON Web Token is taken. */
  readonly jwt: JwtSettings | null;
}

const authShape = z.strictObject({ tokens: z.array(z.unknown()), jwt: z.unknown(), jobTokens: z.unknown() }).partial();

const isObject = (value: unknown) => typeof value === "object" && value !== null;

function partsOf(value: unknown): { readonly tokens?: unknown; readonly jwt?: unknown; readonly jobTokens?: unknown } {
  return typeof value === "object" && value !== null ? value : {};
}

/** Null without authentication: one local owner, on loopback alone. A fault never quotes a secret. */
export function readAuth(value: unknown, providerNames: ReadonlySet<string>, report: Report): AuthSettings | null {
  if (value === undefined) return null;
  readShape(authShape, value, "auth", report);
  // Whatever was reported just now, the faults of the parts are told beside it, and none that would only follow from it.
  const auth = partsOf(value);
  const given = auth.tokens ?? [];
  if (isObject(value) && auth.jwt === undefined && Array.isArray(given) && given.length === 0)
    report("auth", "names nobody who could call: give it tokens or jwt");
  const tokens = readTokens(Array.isArray(given) ? given : [], providerNames, report);
  const jwt = auth.jwt === undefined ? null : readJwt(auth.jwt, report);
  return { tokens, jwt, jobTokens: readJobTokens(auth.jobTokens, tokens, report) };
}
