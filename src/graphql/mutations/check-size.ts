/** Whether a JSON value can be stored as it is, and is small enough. No schema is asked. */
import { type Json, maxNesting, storageFaults, surelyExceeds } from "../../domain/json.ts";
import type { InputIssue } from "../../domain/refusal.ts";

/** Only for what can be stored: serialising nests as deep as the value does. */
export function sizeIssues(value: Json, maxBytes: number, path: string): InputIssue[] {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes <= maxBytes
    ? []
    : [{ path, message: `The value has ${bytes} bytes as JSON: at most ${maxBytes} are taken.` }];
}

/** Why the value cannot be stored; one that is too large anyway is not looked through, which would keep others waiting. */
export function unstorableIssues(value: Json, maxBytes: number, path: string): InputIssue[] {
  if (!surelyExceeds(value, maxBytes, maxNesting)) return storageFaults(value, path);
  return [{ path, message: `The value has more than ${maxBytes} bytes as JSON: at most ${maxBytes} are taken.` }];
}
