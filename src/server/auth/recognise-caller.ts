/** Recognises a caller or refuses the call, with UNAUTHENTICATED where that is the caller's to mend, in words that say how. */
import type { GraphQLError } from "graphql";
import type { Viewer } from "../../graphql/context.ts";
import { authenticationUnavailable, unauthenticated } from "../error-codes.ts";
import type { Authenticator } from "./authenticator.ts";
import { inShort, type Unrecognised } from "./unrecognised.ts";

function remedyOf({ reason }: Unrecognised): string {
  if (reason === "wrong-token") return "check that it is whole, meant for this server, and sent as Bearer TOKEN.";
  if (reason === "expired") return "get a new one, and ask again with that.";
  if (reason === "not-yet-valid") return "wait until it is, or compare the clocks.";
  return "ask its issuer for one that this server takes.";
}

export function refusalOf(unrecognised: Unrecognised): GraphQLError {
  const { reason } = unrecognised;
  if (reason === "unavailable") return authenticationUnavailable();
  if (reason === "no-token")
    return unauthenticated(
      "This server asks for a token: send it in the header Authorization: Bearer TOKEN, over WebSocket in connectionParams.",
    );
  const fault = inShort(unrecognised);
  return unauthenticated(`${fault}: ${remedyOf(unrecognised)}`, fault);
}

export async function recogniseCaller(authenticator: Authenticator, authorization: string | null): Promise<Viewer> {
  const recognised = await authenticator.recognise(authorization);
  if ("reason" in recognised) throw refusalOf(recognised);
  return recognised;
}
