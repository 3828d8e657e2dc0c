/** The digest of an operation's contract: what a certification was earned for. It judges no contract. */
import { createHash } from "node:crypto";
import { digestOf } from "../../domain/intent.ts";
import { type Json, maxNesting } from "../../domain/json.ts";
import type { EffectClass } from "../../domain/operation.ts";
import { isDescribedSchema } from "../judge/standard-schema.ts";

/**
 * A contract as JSON: functions and patterns by their text, schemas by their JSON Schema, bytes by their digest. Throws on
 * what has no such form, circles among them.
 */
function describe(part: unknown, depth: number): Json {
  if (depth > maxNesting) throw new TypeError(`it is nested more than ${maxNesting} deep, or in a circle`);
  if (part === null || typeof part === "boolean" || typeof part === "string") return part;
  if (typeof part === "number") {
    if (!Number.isFinite(part)) throw new TypeError(`it holds ${part}, which is not JSON`);
    return part;
  }
  if (isDescribedSchema(part))
    return describe(part["~standard"].jsonSchema.input({ target: "draft-2020-12" }), depth + 1);
  if (typeof part === "function" || part instanceof RegExp) return { text: String(part) };
  if (part instanceof Uint8Array) return { sha256: createHash("sha256").update(part).digest("hex") };
  if (Array.isArray(part)) return part.map((element) => describe(element ?? null, depth + 1));
  if (typeof part !== "object") throw new TypeError(`it holds a ${typeof part}, which is not JSON`);
  const entries = Object.entries(part).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, describe(value, depth + 1)]));
}

/** SHA-256 in hexadecimal; throws a TypeError that says which part of the contract has no stable form. */
export function digestContract(parts: {
  readonly operation: string;
  readonly version: number;
  readonly effectClass: EffectClass;
  readonly inputSchema: Json;
  readonly outputSchema: Json;
  readonly contract: unknown;
}): string {
  const { contract, ...rest } = parts;
  return digestOf({ ...rest, contract: describe(contract ?? null, 1) });
}
