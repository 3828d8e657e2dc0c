/**
 * Sends the results of a stream over a WebSocket by itself: graphql-ws would make each of them into text anew for each
 * follower. What begins and ends a stream stays with graphql-ws, which sees one that yields nothing.
 */
import type { ExecutionResult } from "graphql-ws";
import type { SharedResult } from "../share-results.ts";

/** Resolves when the message has left. */
export type Send = (message: string) => Promise<void> | void;

export interface ResultSender {
  readonly id: string;
  readonly send: Send;
  /** As clients are to see it. */
  readonly show: (result: ExecutionResult) => object;
}

const done = { done: true, value: undefined } as const;

export function sendResults(
  stream: AsyncIterable<ExecutionResult>,
  { id, send, show }: ResultSender,
): AsyncGenerator<never, undefined> {
  const results = stream[Symbol.asyncIterator]();
  const opening = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
  const textOf = (result: ExecutionResult) => (result as SharedResult).stringify?.() ?? JSON.stringify(show(result));
  return {
    async next() {
      for await (const result of { [Symbol.asyncIterator]: () => results }) await send(`${opening}${textOf(result)}}`);
      return done;
    },
    async return() {
      await results.return?.();
      return done;
    },
    async throw(error) {
      await results.return?.();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
