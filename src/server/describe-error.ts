/** Says what an error is for the log, without the values that it was about: inputs, results and tokens are never logged. */
import { ProviderFault } from "../runtime/provider-fault.ts";

export interface ErrorDescription {
  readonly message: string;
  readonly code?: string;
  /** Frames of the stack, for whoever looks for a bug. */
  readonly at?: readonly string[];
}

/** A database library's error quotes the statement with its parameters; what PostgreSQL said stands in its cause. */
function isQuotation(error: Error): boolean {
  return "query" in error && "params" in error;
}

/** What it is about: the error below a quotation of a statement, or below GraphQL's note of where it was thrown. */
function heart(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if ("originalError" in error && error.originalError instanceof Error) return heart(error.originalError);
  return isQuotation(error) ? (heart(error.cause) ?? new Error("a database statement failed")) : error;
}

export function describeError(error: unknown, withStack: boolean): ErrorDescription {
  const cause = heart(withStack && error instanceof ProviderFault ? error.cause : error);
  if (!(cause instanceof Error)) return { message: typeof cause === "string" ? cause : `a thrown ${typeof cause}` };
  const frames = (cause.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    // The message of several attempts to connect is empty, their code is not.
    message: cause.message || ("code" in cause ? String(cause.code) : cause.name),
    ...("code" in cause && typeof cause.code === "string" ? { code: cause.code } : {}),
    ...(withStack ? { at: frames.map((line) => line.trim()) } : {}),
  };
}
