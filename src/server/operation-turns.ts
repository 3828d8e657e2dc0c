/**
 * Lets so many operations of an owner be carried out at a time; more wait for their turn, in the order in which they came.
 * So nobody waits behind all that another owner has asked for. It refuses nothing.
 */
import { type DocumentNode, GraphQLError, visit } from "graphql";
import type { Plugin } from "graphql-yoga";
import pLimit, { type LimitFunction } from "p-limit";
import type { RequestContext } from "../graphql/context.ts";

function gone(): { readonly errors: readonly GraphQLError[] } {
  const message = "The connection was closed before it was this operation's turn: it was not begun.";
  return { errors: [new GraphQLError(message, { extensions: { code: "OPERATION_NOT_BEGUN" } })] };
}

/** Claims wait for work, up to half a minute and without costing anything: they would keep a fleet's reports from being heard. */
function isClaim(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Field({ name }) {
      if (name.value === "claimAttempts") found = true;
    },
  });
  return found;
}

export function useOperationTurns(perOwner: number): Plugin<RequestContext> {
  const turns = new Map<string, LimitFunction>();
  /** Parsed documents are kept, and so is what was found out about them. */
  const claims = new WeakMap<DocumentNode, boolean>();

  function isFree(document: DocumentNode): boolean {
    const known = claims.get(document) ?? isClaim(document);
    claims.set(document, known);
    return known;
  }

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
        if (isFree(args.document as DocumentNode)) return executeFn(args) as unknown;
        return inTurn(viewer.ownerId, () => (signal?.aborted ? gone() : (executeFn(args) as unknown)));
      });
    },
  };
}
