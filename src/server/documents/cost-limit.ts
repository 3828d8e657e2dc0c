/** Refuses an operation that costs too much once its variables are known, over HTTP and WebSocket alike. What it costs is counted elsewhere. */
import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
} from "graphql";
import type { Plugin } from "graphql-yoga";
import type { Catalog } from "../../domain/operation.ts";
import { type Sizes, sizesOf } from "../../graphql/costs.ts";
import { maxPlaces, mostCost, type Operation, operationCost } from "./operation-cost.ts";
import { tooComplex, tooManyPlaces } from "./refusals.ts";
import { faultsOfVariables } from "./variable-faults.ts";

export interface CostLimit {
  readonly complexity: number;
  readonly catalog: Catalog;
  readonly hideSuggestions: boolean;
}

/** What keeps the operation from being carried out, whose variables fit. */
function faultsOf(
  { schema, document, operation, variables }: Operation,
  sizes: Sizes,
  complexity: number,
): readonly GraphQLError[] {
  try {
    const cost = operationCost({ schema, document, operation, variables }, sizes);
    if (cost === null) return [tooManyPlaces(maxPlaces, complexity)];
    return cost > complexity ? [tooComplex(cost, complexity)] : [];
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

interface Payload {
  readonly args: unknown;
  readonly setResultAndStopExecution: (result: ExecutionResult) => void;
}

export function useCostLimit(schema: GraphQLSchema, limit: CostLimit): Plugin {
  const sizes = sizesOf(limit.catalog, Object.keys(schema.getTypeMap()).length);
  /** Parsed documents are kept, and so is what their operations cost at most. */
  const known = new WeakMap<OperationDefinitionNode, number>();

  /** Variables that do not fit are never counted: whoever counts would go through every fault of a list of a hundred thousand. */
  function faultsIn(operation: Operation): readonly GraphQLError[] {
    const { complexity, hideSuggestions } = limit;
    const faults = faultsOfVariables(operation, hideSuggestions);
    if (faults.length > 0) return faults;
    const most = known.get(operation.operation) ?? mostCost(operation, sizes);
    if (most !== null) known.set(operation.operation, most);
    return most !== null && most <= complexity ? [] : faultsOf(operation, sizes, complexity);
  }

  const judge = ({ args, setResultAndStopExecution }: Payload) => {
    const { document, operationName, variableValues } = args as ExecutionArgs;
    const operation = getOperationAST(document, operationName);
    // One that is not there is the executor's to refuse.
    if (operation === null || operation === undefined) return;
    const asked = { schema, document, operation, variables: { ...variableValues } };
    const errors = faultsIn(asked);
    if (errors.length > 0) setResultAndStopExecution({ errors });
  };
  return { onExecute: (payload) => judge(payload), onSubscribe: (payload) => judge(payload) };
}
