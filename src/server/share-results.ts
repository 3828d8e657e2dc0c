/**
 * Carries a delivery of the feed out once for all who are shown the same of it, and has it made into text once. It follows
 * nothing, and each follower has a stream as before: only what would come out of it anew each time is shared.
 */
import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute } from "graphql";
import { isAsyncIterable, mapAsyncIterator, type Plugin } from "graphql-yoga";
import type { RequestContext } from "../graphql/context.ts";
import { sharingKey } from "./sharing-key.ts";

/** A result that may remember its text. Yoga asks any result for `stringify`; so does what sends results over WebSocket. */
export interface SharedResult extends ExecutionResult {
  readonly stringify?: () => string;
}

/** Not enumerable: a copy of the result that says something else, such as one with its errors masked, has a text of its own. */
function rememberText(result: ExecutionResult): SharedResult {
  let text: string | undefined;
  return Object.defineProperty(result, "stringify", { value: () => (text ??= JSON.stringify(result)) });
}

/** What resolvers are given for all who have the same key: nothing of a caller that is not in it (sharing-key.ts). */
function contextForAll(context: RequestContext): RequestContext {
  const { store, catalog, feed, claims, cancelAtProvider, lookUp, signJobToken, limits, loaders } = context;
  const ofServer = { store, catalog, feed, claims, cancelAtProvider, lookUp, signJobToken, limits };
  const viewer = { ...context.viewer, expiresAt: null };
  // A resolver at the top sets the loaders that suit the delivery: see renew-loaders.ts.
  return { ...ofServer, viewer, loaders, idempotencyKeyHeaders: [], traceparent: null, signal: null };
}

async function carryOut(args: ExecutionArgs): Promise<SharedResult> {
  const result = await execute({ ...args, contextValue: contextForAll(args.contextValue as RequestContext) });
  return result.errors === undefined ? rememberText(result) : result;
}

type Results = Map<string, Promise<SharedResult>>;

export function useSharedResults(): Plugin<RequestContext> {
  /** By the object that the feed hands to all followers alike, and goes with it. */
  const known = new WeakMap<object, Results>();

  function resultsOf(delivery: object): Results {
    const results = known.get(delivery) ?? new Map<string, Promise<SharedResult>>();
    known.set(delivery, results);
    return results;
  }

  /** What has failed is told to all who wait for it, and tried anew for whoever comes later. */
  function share(args: ExecutionArgs, key: string): Promise<SharedResult> {
    const results = resultsOf(args.rootValue as object);
    const shared = results.get(key);
    if (shared !== undefined) return shared;
    const result = carryOut(args);
    results.set(key, result);
    const forget = () => void results.delete(key);
    result.then(({ errors }) => errors && forget(), forget);
    return result;
  }

  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async (args: ExecutionArgs) => {
        const deliveries = await createSourceEventStream(args);
        if (!isAsyncIterable(deliveries)) return deliveries;
        const key = sharingKey(args);
        return mapAsyncIterator(deliveries, (delivery) => share({ ...args, rootValue: delivery }, key));
      });
    },
  };
}
