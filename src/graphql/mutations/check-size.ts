/** Whether a JSON value can be stored as it is, and is small enough. No schema is asked. */
import { type Json, storageFaults, surelyExceeds } from "../../domain/json.ts";
import type { InputIssue } from "../../domain/refusal.ts";

/** Only for what can be stored: serialising nests as deep as the value does. */
export function sizeIssues(value: Json, maxBytes: number, path: string): InputIssue[] {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes <= maxBytes
    ? []
    : [{ path, message: `The value has ${bytes} bytes as JSON: at most ${maxBytes} are taken.` }];
}

/** A value so many times too large is not looked through: that alone would keep the server from its other callers. */
const hopeless = 4;

/** Why the value cannot be stored; of one that is far too large nothing else is said. */
export function unstorableIssues(value: Json, maxBytes: number, path: string): InputIssue[] {
  if (!surelyExceeds(value, hopeless * maxBytes)) return storageFaults(value, path);
  return [
    { path, message: `The value has more than ${hopeless * maxBytes} bytes as JSON: at most ${maxBytes} are taken.` },
  ];
}
