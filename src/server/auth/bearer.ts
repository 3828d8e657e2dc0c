/** Takes the token out of an Authorization header. It judges no token. */
import type { Unrecognised } from "./unrecognised.ts";

/** Far beyond any honest token; over HTTP, Node's limit on headers comes first. */
const maxTokenLength = 16_384;

/** `authorization` is the header's value, or null without one. */
export function bearerToken(authorization: string | null): string | Unrecognised {
  if (authorization === null) return { reason: "no-token" };
  const token = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  return token === undefined || token.length > maxTokenLength ? { reason: "wrong-token" } : token;
}
