/**
 * Refuses an answer that would be too long, before it is made into text: values of a stored job are few in memory, and may
 * stand in an answer ten thousand times. What an operation costs is another matter, since it knows no values.
 */
import { type ExecutionResult, GraphQLError } from "graphql";
import { handleStreamOrSingleExecutionResult, type Plugin } from "graphql-yoga";
import { surelyExceeds } from "../domain/json.ts";

function answerTooLarge(limit: number): GraphQLError {
  const message = `The answer would have more than ${limit} bytes, which is the most: ask for smaller pages, or for less of each item. A mutation has been carried out: ask again with the same idempotency key, claim key or lease token, and nothing happens twice.`;
  // As every well-formed request: 200 in application/json, where the code decides, else the status.
  const http = { spec: true, status: 422 };
  return new GraphQLError(message, { extensions: { code: "ANSWER_TOO_LARGE", limit, http } });
}

interface Answer {
  readonly result: ExecutionResult;
  readonly setResult: (result: ExecutionResult) => void;
}

/** An event of a stream is an answer of its own: the stream goes on after one that is refused. */
export function useAnswerLimit(limit: number): Plugin {
  /** A result that is shared by many is measured once. */
  const judged = new WeakMap<ExecutionResult, boolean>();
  const judge = ({ result, setResult }: Answer) => {
    const isTooLarge = judged.get(result) ?? surelyExceeds(result.data, limit);
    judged.set(result, isTooLarge);
    if (isTooLarge) setResult({ errors: [answerTooLarge(limit)] });
  };
  return {
    onExecute: () => ({ onExecuteDone: (payload) => handleStreamOrSingleExecutionResult(payload, judge) }),
    onSubscribe: () => ({ onSubscribeResult: (payload) => handleStreamOrSingleExecutionResult(payload, judge) }),
  };
}
