/** When two creates mean the same: the intent, its digests and where two intents differ. It looks nothing up and stores nothing. */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { type Json, maxNesting, pointerStep, textFault } from "./json.ts";
import type { InputIssue } from "./refusal.ts";

/** Raise it when the digest's recipe changes, so that old rows are known for what they are. */
export const digestVersion = 1;

export const maxKeyLength = 255;
export const maxInputBytes = 256 * 1024;
export const maxMetadataBytes = 16 * 1024;
export const minPriority = -100;
export const maxPriority = 100;

/** An intent as the caller gave it: what was left out is absent, not null. */
export interface GivenIntent {
  readonly operation: string;
  readonly provider?: string;
  readonly fallbackProviders?: readonly string[];
  readonly input: Json;
}

/** An intent with the operation's defaults filled in. */
export type ResolvedIntent = Required<GivenIntent>;

/** The text that digests are taken of: RFC 8785 canonical JSON. Throws on what JSON cannot say. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("undefined has no canonical JSON");
  return text;
}

/** SHA-256 in hexadecimal over RFC 8785 canonical JSON: keys by UTF-16 code unit, numbers as ECMAScript writes them. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

export function digestIntent(intent: GivenIntent): string {
  const { operation, provider, fallbackProviders, input } = intent;
  return digestOf({
    operation,
    ...(provider === undefined ? {} : { provider }),
    ...(fallbackProviders === undefined ? {} : { fallbackProviders }),
    input,
  });
}

/** Fills the operation's defaults in: `defaults` is its list of providers, first the target, then the fallbacks. */
export function resolveIntent(given: GivenIntent, defaults: readonly string[]): ResolvedIntent {
  const provider = given.provider ?? defaults[0] ?? "";
  return {
    operation: given.operation,
    provider,
    fallbackProviders: given.fallbackProviders ?? defaults.filter((name) => name !== provider),
    input: given.input,
  };
}

/** Faults of an idempotency key: it is taken as it is, 1 to 255 characters (UTF-16 code units). */
export function keyFaults(key: string | null | undefined, path: string): InputIssue[] {
  if (key === null || key === undefined) {
    return [{ path, message: "An idempotency key is required: in the input, or in the Idempotency-Key header." }];
  }
  if (key.length === 0) return [{ path, message: "The idempotency key is empty: give 1 to 255 characters." }];
  if (key.length > maxKeyLength) {
    return [{ path, message: `The idempotency key has ${key.length} characters: give at most ${maxKeyLength}.` }];
  }
  const fault = textFault(key);
  return fault === null ? [] : [{ path, message: `The idempotency key ${fault}.` }];
}

function sameScalar(left: Json | undefined, right: Json | undefined): boolean {
  return left === right;
}

function isContainer(value: Json | undefined): value is Json[] | { [key: string]: Json } {
  return typeof value === "object" && value !== null;
}

/** Where two JSON values differ, as JSON Pointers under `root`, at most `limit` of them. */
export function differencesBetween(left: Json, right: Json, root: string, limit = 20): string[] {
  const found: string[] = [];
  const stack: { left: Json | undefined; right: Json | undefined; path: string; depth: number }[] = [
    { left, right, path: root, depth: 1 },
  ];
  for (let pair = stack.pop(); pair !== undefined && found.length < limit; pair = stack.pop()) {
    const { left: a, right: b, path, depth } = pair;
    const comparable = isContainer(a) && isContainer(b) && Array.isArray(a) === Array.isArray(b);
    if (!comparable || depth > maxNesting) {
      if (!sameScalar(a, b)) found.push(path);
      continue;
    }
    const [mine, theirs] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
    for (const key of [...new Set([...mine.keys(), ...theirs.keys()])].toReversed()) {
      stack.push({ left: mine.get(key), right: theirs.get(key), path: path + pointerStep(key), depth: depth + 1 });
    }
  }
  return found;
}

/** Where a repeated create differs from the recorded intent: pointers into the mutation's input. */
export function intentDifferences(recorded: ResolvedIntent, asked: ResolvedIntent): string[] {
  const fields: string[] = [];
  if (recorded.operation !== asked.operation) fields.push("/operation");
  if (recorded.provider !== asked.provider) fields.push("/provider");
  const sameFallbacks =
    recorded.fallbackProviders.length === asked.fallbackProviders.length &&
    recorded.fallbackProviders.every((name, index) => name === asked.fallbackProviders[index]);
  if (!sameFallbacks) fields.push("/fallbackProviders");
  return [...fields, ...differencesBetween(recorded.input, asked.input, "/input")];
}
