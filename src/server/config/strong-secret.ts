/** Which secrets are strong enough to sign tokens with. It keeps none, and its words quote none. */
import { z } from "zod";
import { notSet } from "./read-shape.ts";

const leastBytes = 32;
const leastDistinct = 8;
const mostSecrets = 10;
const mostCharacters = 1_024;
/** What stands in documentation and templates. Each is long enough that chance does not write it. */
const samples =
  /secret|change[-_ ]?me|passw[o0]rd|example|sample|default|placeholder|qwerty|letmein|12345678|abcdefgh/i;
const howTo = "make one with: openssl rand -base64 48";

/** Whether the text is its own beginning, over and over. */
function repeatsItself(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period++) if (text.startsWith(text.slice(period))) return true;
  return false;
}

function weakness(text: string): string | null {
  if (text.length > mostCharacters) return `must have at most ${mostCharacters.toLocaleString("en")} characters`;
  if (Buffer.byteLength(text) < leastBytes) return `must have at least ${leastBytes} bytes: ${howTo}`;
  if (new Set(text).size < leastDistinct) return `has fewer than ${leastDistinct} different characters: ${howTo}`;
  if (repeatsItself(text)) return `repeats a pattern: ${howTo}`;
  return samples.test(text) ? `looks like a sample out of a page or a template: ${howTo}` : null;
}

/** Of a list, whichever is wrong is named by its place in it. */
function faultsOf(value: unknown): { readonly path: number[]; readonly message: string }[] {
  if (typeof value === "string")
    return [weakness(value)].flatMap((message) => (message ? [{ path: [], message }] : []));
  if (value === undefined) return [{ path: [], message: notSet }];
  if (!Array.isArray(value)) return [{ path: [], message: "must be a text, or a list of texts" }];
  if (value.length === 0 || value.length > mostSecrets)
    return [{ path: [], message: `must hold from 1 to ${mostSecrets} secrets: ${howTo}` }];
  return value.flatMap((text: unknown, index) => {
    const isTwice = value.indexOf(text) !== index;
    const message = typeof text !== "string" ? "must be a text" : isTwice ? "is in the list twice" : weakness(text);
    return message === null ? [] : [{ path: [index], message }];
  });
}

/** One secret, or several of which one may follow another; a list either way. */
export const strongSecrets = z.unknown().transform((value, context): readonly string[] => {
  for (const fault of faultsOf(value)) context.addIssue({ code: "custom", ...fault });
  return typeof value === "string" ? [value] : (value as readonly string[]);
});
