/** Why nobody was recognised, and in which words the caller is told: enough to mend it, and nothing of the token. */

export type Reason =
  | "no-token"
  | "wrong-token"
  | "expired"
  | "not-yet-valid"
  | "wrong-audience"
  | "wrong-issuer"
  | "missing-claim"
  | "unfit-claim"
  /** Who could tell does not answer: no fault of the caller's. */
  | "unavailable";

export interface Unrecognised {
  readonly reason: Reason;
  /** Of a missing or unfit claim, its name: one that the server looks for, never a text of the caller's. */
  readonly claim?: string;
}

/** What is wrong in a few words of plain ASCII, as headers and close frames take them. */
export function inShort({ reason, claim = "" }: Unrecognised): string {
  switch (reason) {
    case "no-token":
      return "Token required";
    case "wrong-token":
      return "Token not known";
    case "expired":
      return "Token expired";
    case "not-yet-valid":
      return "Token not valid yet";
    case "wrong-audience":
      return "Token made for another audience";
    case "wrong-issuer":
      return "Token made by another issuer";
    case "missing-claim":
      return `Token lacks the claim ${claim}`;
    case "unfit-claim":
      return `Token has an unusable claim ${claim}`;
    default:
      return "Authentication unavailable";
  }
}

/** How much a reason tells: one that only a verified signature gives stands above one that anybody gets. */
function rank({ reason }: Unrecognised): number {
  return ["no-token", "wrong-token"].includes(reason) ? 0 : reason === "unavailable" ? 1 : 2;
}

/** Of several refusals of one token the one that tells most; of equals the first. */
export function mostTelling(refusals: readonly Unrecognised[]): Unrecognised {
  const none: Unrecognised = { reason: "wrong-token" };
  return refusals.reduce((best, next) => (rank(next) > rank(best) ? next : best), refusals[0] ?? none);
}
