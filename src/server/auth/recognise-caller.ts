/** Recognises a caller or refuses the call with UNAUTHENTICATED, in words that say what to send. */
import type { Viewer } from "../../graphql/context.ts";
import { unauthenticated } from "../error-codes.ts";
import type { Authenticator } from "./authenticator.ts";

export async function recogniseCaller(authenticator: Authenticator, authorization: string | null): Promise<Viewer> {
  const recognised = await authenticator.recognise(authorization);
  if (!("reason" in recognised)) return recognised;
  if (recognised.reason === "wrong-token") throw unauthenticated("The token is not known here.");
  if (recognised.reason === "expired-token") throw unauthenticated("The token has expired: ask for a fresh one.");
  throw unauthenticated("This server asks for a token: send it in the header Authorization: Bearer TOKEN.");
}
