/** Reads who may call. The tokens themselves are in read-tokens.ts; nobody is recognised here. */
import { z } from "zod";
import type { TokenGrant } from "../auth/authenticator.ts";
import { type JobTokenSettings, readJobTokens } from "./read-job-tokens.ts";
import { type Report, readShape } from "./read-shape.ts";
import { readTokens } from "./read-tokens.ts";

export interface AuthSettings {
  readonly tokens: readonly TokenGrant[];
  /** Null where nobody may ask for tokens for one job. */
  readonly jobTokens: JobTokenSettings | null;
}

const authShape = z.strictObject({ tokens: z.array(z.unknown()), jwt: z.unknown(), jobTokens: z.unknown() }).partial();

/** Null without authentication: one local owner, on loopback alone. A fault never quotes a secret. */
export function readAuth(value: unknown, providerNames: ReadonlySet<string>, report: Report): AuthSettings | null {
  if (value === undefined) return null;
  const auth = readShape(authShape, value, "auth", report) ?? {};
  if (auth.jwt !== undefined) report("auth.jwt", "is not available in this version: use auth.tokens");
  if ((auth.tokens ?? []).length === 0) report("auth.tokens", "is empty: nobody could call");
  const tokens = readTokens(auth.tokens ?? [], providerNames, report);
  return { tokens, jobTokens: readJobTokens(auth.jobTokens, tokens, report) };
}
