/** Makes the authenticator that a configuration asks for, of all the kinds of tokens that it takes. It recognises nobody itself. */
import type { AuthSettings } from "../config/read-auth.ts";
import type { ServerLog } from "../log.ts";
import { type Authenticator, firstOf, localAuthenticator, tokenAuthenticator } from "./authenticator.ts";
import { jobTokenAuthenticator } from "./job-tokens.ts";
import { jwtAuthenticator } from "./jwt-authenticator.ts";

/** `auth` is null without configured authentication. */
export function createAuthenticator(auth: AuthSettings | null, log: ServerLog): Authenticator {
  if (auth === null) return localAuthenticator();
  const { tokens, jobTokens, jwt } = auth;
  return firstOf([
    tokenAuthenticator(tokens),
    ...(jwt === null ? [] : [jwtAuthenticator(jwt, log)]),
    ...(jobTokens === null ? [] : [jobTokenAuthenticator(jobTokens)]),
  ]);
}
