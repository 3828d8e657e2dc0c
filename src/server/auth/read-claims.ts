/** Reads who a verified token stands for. It verifies nothing: signature, times, audience and issuer hold already. */
import type { JWTPayload } from "jose";
import { textFault } from "../../domain/json.ts";
import type { Role, Viewer } from "../../graphql/context.ts";
import type { JwtSettings } from "../config/read-jwt.ts";
import type { Unrecognised } from "./unrecognised.ts";

const roles: readonly Role[] = ["OWNER", "WORKER", "OPERATOR"];
const maxOwnerLength = 255;
/** The dispatcher claims under this name: whoever else bore it could ask for what it holds. */
const reservedOwner = "onejob";
/** The last moment that a Date can hold. */
const lastMs = 8_640_000_000_000_000;

/** A list, or a text with spaces between; what is neither lists nothing. */
function listOf(claims: JWTPayload, name: string): readonly string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (typeof value === "string") return value.split(" ").filter((word) => word !== "");
  return Array.isArray(value) ? value.filter((element): element is string => typeof element === "string") : [];
}

function isOwner(sub: unknown): sub is string {
  if (typeof sub !== "string" || sub === reservedOwner) return false;
  return sub.length >= 1 && sub.length <= maxOwnerLength && textFault(sub) === null;
}

export function viewerOf(
  claims: JWTPayload,
  {
    rolesClaim,
    providersClaim,
    clockToleranceSeconds,
  }: Pick<JwtSettings, "rolesClaim" | "providersClaim" | "clockToleranceSeconds">,
): Viewer | Unrecognised {
  const { sub, exp = 0 } = claims;
  if (!isOwner(sub)) return { reason: "unfit-claim", claim: "sub" };
  const named = new Set(listOf(claims, rolesClaim));
  return {
    ownerId: sub,
    // A token may name the roles of other services as well.
    roles: new Set(roles.filter((role) => named.has(role))),
    // Who signs tokens for workers says for which providers: none are meant by silence.
    providers: listOf(claims, providersClaim),
    expiresAt: new Date(Math.min((exp + clockToleranceSeconds) * 1_000, lastMs)),
    onlyJob: null,
  };
}
