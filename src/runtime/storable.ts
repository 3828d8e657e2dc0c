/** Makes what a provider says fit to be stored: texts are mended, results are taken as they are or refused. It judges no schema. */
import { type Json, storageFaults } from "../domain/json.ts";
import { type Failure, maxResultBytes, type ProgressReport, remedies } from "../domain/outcome.ts";

const maxCodeLength = 100;
const maxMessageLength = 4_000;

/** A provider may hand over objects that refuse to be text, and a report must not break over them. */
function wordsOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return "(a value that cannot be written as text)";
  }
}

/** A text that PostgreSQL holds and that is bounded; what cannot be stored becomes U+FFFD. */
export function storableText(text: unknown, maxLength: number): string {
  return wordsOf(text).replaceAll("\0", "\uFFFD").slice(0, maxLength).toWellFormed();
}

export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message || error.name : wordsOf(error);
  } catch {
    return wordsOf(null);
  }
}

/** A failure as providers written in JavaScript may give it too: every part is checked. */
export function storableFailure(given: Partial<Failure> | null | undefined, fallbackCode: string): Failure {
  const remedy = remedies.find((known) => known === given?.remedy) ?? "NONE";
  return {
    code: storableText(given?.code || fallbackCode, maxCodeLength),
    message: storableText(given?.message ?? "", maxMessageLength),
    remedy,
  };
}

/** Whatever a provider reports, also nothing: progress is never an error. */
export function storableProgress(given: ProgressReport | null | undefined): ProgressReport {
  const { fraction = null, message = null } = given ?? {};
  const isNumber = typeof fraction === "number" && !Number.isNaN(fraction);
  return {
    fraction: isNumber ? Math.min(1, Math.max(0, fraction)) : null,
    message: message === null ? null : storableText(message, maxMessageLength),
  };
}

function refuseInfinite(_key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`${value} is not a JSON number.`);
  return value;
}

/**
 * The result as JSON writes it, so that what is judged is what is stored; or why it cannot be. An absent property and one
 * that is undefined are the same, as everywhere in JSON.
 */
export function storableResult(value: unknown): { readonly result: Json } | { readonly fault: string } {
  try {
    const text: string | undefined = JSON.stringify(value, refuseInfinite);
    if (text === undefined) return { fault: `The result is ${typeof value}, which is not JSON.` };
    const bytes = Buffer.byteLength(text);
    if (bytes > maxResultBytes) return { fault: `The result has ${bytes} bytes; the limit is ${maxResultBytes}.` };
    const result = JSON.parse(text) as Json;
    const [issue] = storageFaults(result, "", 1);
    return issue === undefined ? { result } : { fault: `At "${issue.path}" of the result: ${issue.message}` };
  } catch (error) {
    return { fault: `The result is not JSON: ${messageOf(error)}` };
  }
}
