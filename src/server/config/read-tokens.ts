/** Reads the configured static tokens and forgets them at once: only their digests are kept. */
import { z } from "zod";
import { textFault } from "../../domain/json.ts";
import { digestToken, type TokenGrant } from "../auth/authenticator.ts";
import { oneOf, providerList, type Report, readShape } from "./read-shape.ts";

function tokenShape(providerNames: ReadonlySet<string>) {
  return z.strictObject({
    token: z
      .string()
      .min(16, { error: "must have at least 16 characters" })
      .regex(/^[\x21-\x7e]*$/, { error: "must be printable ASCII without spaces" }),
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

/** A fault never quotes a token. */
export function readTokens(
  elements: readonly unknown[],
  providerNames: ReadonlySet<string>,
  report: Report,
): TokenGrant[] {
  reportRepeated(elements, report);
  const shape = tokenShape(providerNames);
  return elements.flatMap((element, index) => {
    const read = readShape(shape, element, `auth.tokens[${index}]`, report);
    if (read === null) return [];
    const viewer = {
      ownerId: read.ownerId,
      roles: new Set(read.roles),
      providers: read.providers ?? null,
      expiresAt: null,
      onlyJob: null,
    };
    return [{ digest: digestToken(read.token), viewer }];
  });
}

function reportRepeated(elements: readonly unknown[], report: Report): void {
  const tokens = elements.map((element) => z.looseObject({ token: z.string() }).safeParse(element).data?.token);
  for (const [index, token] of tokens.entries()) {
    const first = tokens.indexOf(token);
    if (token !== undefined && first !== index)
      report(`auth.tokens[${index}].token`, `is the same as auth.tokens[${first}].token`);
  }
}
