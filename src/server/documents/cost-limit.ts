/** Refuses an operation that costs too much once its variables are known, over HTTP and WebSocket alike. What it costs is counted elsewhere. */
import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
} from "graphql";
import type { Plugin } from "graphql-yoga";
import type { Catalog } from "../../domain/operation.ts";
import { type Sizes, sizesOf } from "../../graphql/costs.ts";
import { maxPlaces, mostCost, type Operation, operationCost } from "./operation-cost.ts";
import { tooComplex, tooManyPlaces } from "./refusals.ts";

/** As the executor would say them, had it been asked. */
const maxVariableFaults = 50;

export interface CostLimit {
  readonly complexity: number;
  readonly catalog: Catalog;
  readonly hideSuggestions: boolean;
}

/** What keeps the operation from being carried out. */
function faultsOf(
  { schema, document, operation, variables }: Operation,
  sizes: Sizes,
  { complexity, hideSuggestions }: CostLimit,
): readonly GraphQLError[] {
  const options = { maxErrors: maxVariableFaults, hideSuggestions };
  const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, options);
  if (errors !== undefined) return errors;
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

  function isWithinLimit(operation: Operation): boolean {
    const most = known.get(operation.operation) ?? mostCost(operation, sizes);
    if (most !== null) known.set(operation.operation, most);
    return most !== null && most <= limit.complexity;
  }

  const judge = ({ args, setResultAndStopExecution }: Payload) => {
    const { document, operationName, variableValues } = args as ExecutionArgs;
    const operation = getOperationAST(document, operationName);
    // One that is not there is the executor's to refuse.
    if (operation === null || operation === undefined) return;
    const asked = { schema, document, operation, variables: { ...variableValues } };
    if (isWithinLimit(asked)) return;
    const errors = faultsOf(asked, sizes, limit);
    if (errors.length > 0) setResultAndStopExecution({ errors });
  };
  return { onExecute: (payload) => judge(payload), onSubscribe: (payload) => judge(payload) };
}
