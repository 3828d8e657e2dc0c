/** Reads the configured static tokens and forgets them at once: only their digests are kept. */
import { z } from "zod";
import { textFault } from "../../domain/json.ts";
import { digestToken, type TokenGrant } from "../auth/authenticator.ts";
import { notSet, oneOf, providerList, type Report, readShape } from "./read-shape.ts";

function tokenShape(providerNames: ReadonlySet<string>) {
  return z.strictObject({
    token: z
      .string()
      .min(16, { error: "must have at least 16 characters" })
      .regex(/^[\x21-\x7e]*$/, { error: "must be printable ASCII without spaces" })
      .optional(),
    tokenSha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, { error: "must be a SHA-256 in hexadecimal: 64 digits" })
      .optional(),
    ownerId: z
      .string()
      .min(1, { error: "must not be empty" })
      .max(255, { error: "must have at most 255 characters" })
      .refine((text) => textFault(text) === null, { error: "holds characters that cannot be stored" })
      // The dispatcher claims under this name: whoever else bore it could ask for what it holds.
      .refine((text) => text !== "onejob", { error: "is reserved: choose another name than onejob" }),
    roles: z.array(oneOf(["OWNER", "WORKER", "OPERATOR"])).min(1, { error: "must name a role" }),
    providers: providerList(providerNames).optional(),
  });
}

interface Named {
  readonly token?: string | undefined;
  readonly tokenSha256?: string | undefined;
}

/** Null where neither is given, or both. */
function digestOf({ token, tokenSha256 }: Named): Buffer | null {
  if ((token === undefined) === (tokenSha256 === undefined)) return null;
  return token === undefined ? Buffer.from(tokenSha256 ?? "", "hex") : digestToken(token);
}

/** A fault never quotes a token. */
export function readTokens(
  elements: readonly unknown[],
  providerNames: ReadonlySet<string>,
  report: Report,
): TokenGrant[] {
  reportNames(elements, report);
  const shape = tokenShape(providerNames);
  return elements.flatMap((element, index) => {
    const read = readShape(shape, element, `auth.tokens[${index}]`, report);
    const digest = read && digestOf(read);
    if (read === null || digest === null) return [];
    const viewer = {
      ownerId: read.ownerId,
      roles: new Set(read.roles),
      providers: read.providers ?? null,
      expiresAt: null,
      onlyJob: null,
    };
    return [{ digest, viewer }];
  });
}

/** Reports what has no token or two, and what another element has as well: as itself, or as its digest. */
function reportNames(elements: readonly unknown[], report: Report): void {
  const named = z.looseObject({ token: z.string().optional(), tokenSha256: z.string().optional() });
  const places = new Map<string, string>();
  for (const [index, element] of elements.entries()) {
    const read = named.safeParse(element).data;
    if (read === undefined) continue;
    const where = `auth.tokens[${index}]`;
    const digest = digestOf(read)?.toString("hex");
    if (digest === undefined) {
      const given = ["token", "tokenSha256"].find((setting) => setting in read);
      if (read.token !== undefined) report(where, "has both token and tokenSha256: leave one out");
      else if (given !== undefined) report(`${where}.${given}`, notSet);
      else report(where, "needs a token, or its tokenSha256");
      continue;
    }
    const place = `${where}.${read.token === undefined ? "tokenSha256" : "token"}`;
    const first = places.get(digest);
    if (first !== undefined) report(place, `is the same as ${first}`);
    else places.set(digest, place);
  }
}
