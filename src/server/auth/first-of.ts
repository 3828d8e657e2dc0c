/** Several ways of recognising a caller as one: the first that knows the token says who it is. It knows no kind of token. */
import type { Authenticator, Unrecognised } from "./authenticator.ts";

/** Nobody's token is refused for the most telling of the reasons given. */
export function firstOf(authenticators: readonly Authenticator[]): Authenticator {
  return {
    isOpen: authenticators.some(({ isOpen }) => isOpen),
    async recognise(authorization) {
      let refusal: Unrecognised = { reason: authorization === null ? "no-token" : "wrong-token" };
      for (const authenticator of authenticators) {
        const recognised = await authenticator.recognise(authorization);
        if (!("reason" in recognised)) return recognised;
        if (recognised.reason === "expired-token") refusal = recognised;
      }
      return refusal;
    },
  };
}
