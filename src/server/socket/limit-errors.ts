/** What a client of a WebSocket is told that asks for too much of it. Nothing is counted here. */
import { GraphQLError } from "graphql";
import { maxUnansweredOperations } from "./socket-load.ts";

/** "Try again later": clients of graphql-ws do, where most other codes end them for good. */
export const tooManySockets = 1013;

/** Its message is the reason that the socket is closed with, which may have 123 bytes. */
export function connectionLimitExceeded(limit: number): GraphQLError {
  const message = `This owner has ${limit} connections open, which is the most: close one, or share one.`;
  return new GraphQLError(message, { extensions: { code: "CONNECTION_LIMIT_EXCEEDED" } });
}

export function operationLimitExceeded(): GraphQLError {
  const message = `There are ${maxUnansweredOperations} operations without an answer on this connection, which is the most: wait for answers before asking for more.`;
  return new GraphQLError(message, { extensions: { code: "OPERATION_LIMIT_EXCEEDED" } });
}
