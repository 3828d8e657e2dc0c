/** Texts and ids that belong to one owner alone, and the search for them in whatever was sent to others. It knows no API. */
import { tokens } from "./api-config.ts";

const mark = "secret-of-ann";

/** A text that is found again wherever it comes out, and that says by itself where it was written. */
export function secret(name: string): string {
  return `${mark}-${name}.`;
}

/** Where a text must be in hexadecimal: the trace of ann's calls. */
export const secretTraceId = "5ec2e75ec2e75ec2e75ec2e75ec2e75f";

const pattern = /secret-of-ann-[\w-]+/g;
const alwaysSecret = [secretTraceId, tokens.ann, tokens.annAtHome];

/** Cursors and the like: what they hold is in reach of everybody who has them. */
function unwrapped(text: string): string {
  const runs = text.match(/[\w-]{16,}/g) ?? [];
  return runs.map((run) => Buffer.from(run, "base64url").toString("latin1")).join("\n");
}

/** The names of the secrets in a text, and those of the ids that are in it, plain or wrapped. Sorted, each once. */
export function secretsIn(text: string, ids: readonly string[] = []): string[] {
  const whole = `${text}\n${unwrapped(text)}`;
  const marks = [...whole.matchAll(pattern)].map(([found]) => found.slice(mark.length + 1));
  const others = [...alwaysSecret, ...ids].filter((id) => whole.includes(id));
  return [...new Set([...marks, ...others])].toSorted();
}
