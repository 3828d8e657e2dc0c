/** JSON values and what of them can be stored unaltered. It knows nothing of schemas: an operation judges its own input. */
import type { InputIssue } from "./refusal.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export const maxNesting = 64;

/** One step of a JSON Pointer (RFC 6901), escaped. */
export function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Why a string cannot be stored as it is, or null when it can. PostgreSQL's text holds neither NUL nor lone surrogates. */
export function textFault(text: string): string | null {
  if (text.includes("\0")) return "holds U+0000, which cannot be stored";
  return text.isWellFormed() ? null : "holds a lone surrogate, which is not Unicode text";
}

function numberFault(value: number): string | null {
  if (!Number.isFinite(value)) return "is a number beyond the range of a double";
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return "is an integer beyond ±(2^53−1), which JSON readers round: send it as a string";
  }
  return null;
}

function scalarFault(value: unknown): string | null {
  if (value === null || typeof value === "boolean") return null;
  if (typeof value === "string") return textFault(value);
  if (typeof value === "number") return numberFault(value);
  return `is ${value === undefined ? "undefined" : `a ${typeof value}`}, which is not JSON`;
}

/**
 * Whether the value as JSON is sure to be longer than so many bytes. It adds up what no spelling can do without, looks no
 * further than it must, and walks with its own stack: a value of any size and nesting is judged in the time of a small one.
 * Nested deeper than `deepest` it is none of this function's business: somebody else refuses it for that.
 */
export function surelyExceeds(value: unknown, bytes: number, deepest = Number.POSITIVE_INFINITY): boolean {
  const stack: unknown[] = [value];
  const depths: number[] = [1];
  let least = 0;
  while (stack.length > 0 && least <= bytes) {
    const node = stack.pop();
    const depth = depths.pop() ?? 0;
    if (typeof node !== "object" || node === null) {
      least += typeof node === "string" ? node.length + 2 : 1;
      continue;
    }
    if (depth > deepest) return false;
    const keys = Array.isArray(node) ? null : Object.keys(node);
    const count = keys === null ? (node as unknown[]).length : keys.length;
    // Brackets, commas, and of each key its quotes and colon.
    least += 1 + Math.max(1, count) + (keys === null ? 0 : 3 * count);
    if (least > bytes) return true;
    for (const key of keys ?? []) least += key.length;
    for (const child of Array.isArray(node) ? (node as unknown[]) : Object.values(node)) {
      stack.push(child);
      depths.push(depth + 1);
    }
  }
  return least > bytes;
}

/** A value within another: its way from the root is followed only where there is a fault to tell. */
interface Place {
  readonly key: string | number;
  readonly value: unknown;
  readonly parent: Place | null;
  readonly depth: number;
}

function pointerTo({ key, parent }: Place): string {
  return parent === null ? "" : pointerTo(parent) + pointerStep(key);
}

/**
 * Every place of `value` that cannot be stored unaltered, as JSON Pointers under `root`; at most `limit` of them.
 * It walks with its own stack, so that no nesting overflows the call stack, and stops below `maxNesting`.
 */
export function storageFaults(value: unknown, root: string, limit = 20): InputIssue[] {
  const issues: InputIssue[] = [];
  const stack: Place[] = [{ key: 0, value, parent: null, depth: 1 }];
  const report = (place: Place, message: string) => void issues.push({ path: root + pointerTo(place), message });
  for (let next = stack.pop(); next !== undefined && issues.length < limit; next = stack.pop()) {
    const { key, value: node, depth } = next;
    const keyFault = typeof key === "string" ? textFault(key) : null;
    if (keyFault !== null) report(next, `The key ${keyFault}.`);
    if (typeof node !== "object" || node === null) {
      const fault = scalarFault(node);
      if (fault !== null && issues.length < limit) report(next, `The value ${fault}.`);
      continue;
    }
    if (depth > maxNesting) {
      report(next, `The value is nested more than ${maxNesting} deep.`);
      break;
    }
    const keys: (string | number)[] = Array.isArray(node) ? [...node.keys()] : Object.keys(node);
    for (const name of keys.toReversed()) {
      const child = (node as Readonly<Record<string | number, unknown>>)[name];
      stack.push({ key: name, value: child, parent: next, depth: depth + 1 });
    }
  }
  return issues;
}
