/** Whether a JSON value is small enough to be stored. */
import type { Json } from "../../domain/json.ts";
import type { InputIssue } from "../../domain/refusal.ts";

/** Only for what can be stored: serialising nests as deep as the value does. */
export function sizeIssues(value: Json, maxBytes: number, path: string): InputIssue[] {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes <= maxBytes
    ? []
    : [{ path, message: `The value has ${bytes} bytes as JSON: at most ${maxBytes} are taken.` }];
}
