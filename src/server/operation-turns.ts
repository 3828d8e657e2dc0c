/**
 * Lets so many operations of an owner be carried out at a time; more wait for their turn, in the order in which they came.
 * So nobody waits behind all that another owner has asked for. It refuses nothing.
 */
import { type ExecutionArgs, GraphQLError, getOperationAST, Kind } from "graphql";
import type { Plugin } from "graphql-yoga";
import pLimit, { type LimitFunction } from "p-limit";
import type { RequestContext } from "../graphql/context.ts";

function gone(): { readonly errors: readonly GraphQLError[] } {
  const message = "The connection was closed before it was this operation's turn: it was not begun.";
  return { errors: [new GraphQLError(message, { extensions: { code: "OPERATION_NOT_BEGUN" } })] };
}

/** A claim waits for work, up to half a minute; a report of progress until it is written together with the next ones. */
const waiting: ReadonlySet<string> = new Set(["claimAttempts", "heartbeatAttempt"]);

/**
 * What waits costs nothing meanwhile, and would keep a fleet's results from being heard. An operation that asks for anything
 * beside is none of these, nor is one that stands beside them in its document.
 */
function waits({ document, operationName }: ExecutionArgs): boolean {
  const selections = getOperationAST(document, operationName)?.selectionSet.selections ?? [];
  return selections.length > 0 && selections.every((one) => one.kind === Kind.FIELD && waiting.has(one.name.value));
}

export function useOperationTurns(perOwner: number): Plugin<RequestContext> {
  const turns = new Map<string, LimitFunction>();

  async function inTurn(ownerId: string, work: () => unknown): Promise<unknown> {
    const limit = turns.get(ownerId) ?? pLimit(perOwner);
    turns.set(ownerId, limit);
    try {
      return await limit(work);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) turns.delete(ownerId);
    }
  }

  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn((args) => {
        const { viewer, signal } = args.contextValue as RequestContext;
        if (waits(args)) return executeFn(args) as unknown;
        return inTurn(viewer.ownerId, () => (signal?.aborted ? gone() : (executeFn(args) as unknown)));
      });
    },
  };
}
