/** Answers a query or mutation that takes too long without its result. What was asked for goes on, and is cancelled by nobody. */
import { GraphQLError } from "graphql";
import { isPromise, type Plugin } from "graphql-yoga";
import { settlesWithin } from "../runtime/clock.ts";

function timedOut(timeoutMs: number): GraphQLError {
  const message = `There was no result within ${timeoutMs} ms. For a mutation it is not known whether it was recorded: ask again with the same idempotency key, claim key or lease token, and nothing happens twice.`;
  // As every well-formed request: 200 in application/json, where the code decides, else the status.
  const http = { spec: true, status: 504 };
  return new GraphQLError(message, { extensions: { code: "OPERATION_TIMEOUT", http } });
}

/** Subscriptions are not timed: they pass by here neither at their start nor with an event. */
export function useOperationTimeout(timeoutMs: number): Plugin {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn(async (args) => {
        const running: unknown = executeFn(args);
        if (!isPromise(running) || (await settlesWithin(running, timeoutMs))) return running;
        return { errors: [timedOut(timeoutMs)] };
      });
    },
  };
}
