/** What an answer of a provider, or its absence, means for the attempt. It stores nothing: the verdict is reported elsewhere. */
import type { Json } from "../domain/json.ts";
import type { Operation } from "../domain/operation.ts";
import { type Failure, failureCodes, type Outcome } from "../domain/outcome.ts";
import type { InputIssue } from "../domain/refusal.ts";
import { messageOf, storableFailure, storableResult } from "./storable.ts";

/** Why a call was given up before it answered. */
export type AbortCause = "deadline" | "closed" | "lease-lost" | "shutdown";

export type Answer =
  | { readonly kind: "answered"; readonly outcome: Outcome }
  | { readonly kind: "threw"; readonly error: unknown }
  /** The dispatcher no longer waits. */
  | { readonly kind: "abandoned" };

export type Verdict =
  | { readonly kind: "complete"; readonly result: Json }
  | { readonly kind: "fail"; readonly certain: boolean; readonly effectUncertain: boolean; readonly failure: Failure }
  /** Nothing was learnt that the database does not find out, or already knows, by itself. */
  | { readonly kind: "nothing" };

const shownIssues = 5;

function unclear(code: string, message: string): Verdict {
  const failure = storableFailure({ code, message, remedy: "NONE" }, code);
  return { kind: "fail", certain: false, effectUncertain: true, failure };
}

function nonconforming(issues: readonly InputIssue[]): Verdict {
  const listed = issues.slice(0, shownIssues).map(({ path, message }) => `${path || "/"}: ${message}`);
  const more = issues.length > shownIssues ? ` (and ${issues.length - shownIssues} more)` : "";
  const message = `The result does not conform to the operation's output. ${listed.join(" ")}${more}`;
  const failure = storableFailure({ code: failureCodes.nonconformingResult, message, remedy: "NONE" }, "");
  return { kind: "fail", certain: true, effectUncertain: true, failure };
}

async function judgeResult(value: unknown, operation: Operation | undefined): Promise<Verdict> {
  const storable = storableResult(value);
  if ("fault" in storable) return unclear(failureCodes.unstorableResult, storable.fault);
  try {
    const issues = (await operation?.judgeOutput(storable.result)) ?? [];
    return issues.length === 0 ? { kind: "complete", result: storable.result } : nonconforming(issues);
  } catch (error) {
    // The provider did answer; that the operation's own rules break over it is no proof against the result.
    return unclear("OUTPUT_CHECK_CRASHED", `The check of the output failed: ${messageOf(error)}`);
  }
}

async function judgeOutcome(outcome: Outcome, operation: Operation | undefined): Promise<Verdict> {
  switch (outcome?.kind) {
    case "succeeded":
      return await judgeResult(outcome.result, operation);
    case "failed": {
      const failure = storableFailure(outcome.failure, "PROVIDER_FAILED");
      return { kind: "fail", certain: true, effectUncertain: false, failure };
    }
    case "unknown": {
      const failure = storableFailure(outcome.failure, "PROVIDER_UNCLEAR");
      return { kind: "fail", certain: false, effectUncertain: true, failure };
    }
    default:
      return unclear(failureCodes.providerCrashed, "The provider answered with something that is not an outcome.");
  }
}

/**
 * An exception says nothing certain. One that follows our own abort says nothing at all: a deadline, a cancellation and a
 * lost lease are on record already, and only a shutdown is still to be told.
 */
export async function judgeAnswer(
  answer: Answer,
  aborted: AbortCause | null,
  operation: Operation | undefined,
): Promise<Verdict> {
  if (answer.kind === "answered") {
    try {
      return await judgeOutcome(answer.outcome, operation);
    } catch (error) {
      return unclear(failureCodes.providerCrashed, `The provider's answer cannot be read: ${messageOf(error)}`);
    }
  }
  if (aborted === "shutdown") return unclear(failureCodes.aborted, "The server shut down before it answered.");
  if (aborted !== null) return { kind: "nothing" };
  const message = answer.kind === "threw" ? messageOf(answer.error) : "The call was given up.";
  return unclear(failureCodes.providerCrashed, message);
}
