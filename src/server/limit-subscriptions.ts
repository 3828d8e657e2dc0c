/** Bounds how many subscriptions a connection and an owner have open at once, over WebSocket and Server-Sent Events alike. It follows nothing. */
import { GraphQLError } from "graphql";
import { isAsyncIterable, type Plugin } from "graphql-yoga";
import type { RequestContext } from "../graphql/context.ts";
import type { CountByOwner } from "./live-counts.ts";
import type { SocketLoad } from "./socket/socket-load.ts";

/** Over HTTP a stream has a connection of its own, and no load. */
export interface SubscriptionContext extends RequestContext {
  readonly load?: SocketLoad;
}

function limitExceeded(limit: number, whose: string): GraphQLError {
  const message = `There are ${limit} subscriptions open ${whose}, which is the most: end one first, or follow all jobs with jobsUpdated.`;
  return new GraphQLError(message, { extensions: { code: "SUBSCRIPTION_LIMIT_EXCEEDED" } });
}

/** Both places or none. */
function take(counts: CountByOwner, perConnection: number, context: SubscriptionContext): (() => void) | GraphQLError {
  const { viewer, load } = context;
  if (load !== undefined && load.streams >= perConnection) return limitExceeded(perConnection, "on this connection");
  const release = counts.take(viewer.ownerId);
  if (release === null) return limitExceeded(counts.limit, "for this owner on this server");
  const closeStream = load?.openStream();
  return () => {
    release();
    closeStream?.();
  };
}

/**
 * The same stream, which calls `end` once it is over in whatever way. A client that has gone before its answer was sent is
 * never read from nor told to return: the signal ends its stream.
 */
function untilOver(stream: AsyncIterable<unknown>, signal: AbortSignal | null, release: () => void) {
  const source = stream[Symbol.asyncIterator]();
  const leave = (): void => {
    // What it rejects with is nobody's any more.
    Promise.resolve(source.return?.()).catch(() => {});
    end();
  };
  const end = (): void => {
    signal?.removeEventListener("abort", leave);
    release();
  };
  if (signal?.aborted) leave();
  else signal?.addEventListener("abort", leave, { once: true });
  return {
    async next() {
      try {
        const result = await source.next();
        if (result.done) end();
        return result;
      } catch (error) {
        end();
        throw error;
      }
    },
    async return() {
      end();
      await source.return?.();
      return { done: true as const, value: undefined };
    },
    async throw(error: unknown) {
      end();
      await source.return?.();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

export function useSubscriptionLimits(counts: CountByOwner, perConnection: number): Plugin<SubscriptionContext> {
  return {
    onSubscribe({ subscribeFn, setSubscribeFn }) {
      setSubscribeFn(async (args) => {
        const context = args.contextValue as SubscriptionContext;
        const taken = take(counts, perConnection, context);
        if (taken instanceof GraphQLError) return { errors: [taken] };
        try {
          const result: unknown = await subscribeFn(args);
          if (isAsyncIterable(result)) return untilOver(result, context.signal, taken);
          taken();
          return result;
        } catch (error) {
          taken();
          throw error;
        }
      });
    },
  };
}
