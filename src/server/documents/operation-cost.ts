/** Adds up what an operation costs with the variables that came with it. The costs themselves are the schema's: graphql/costs.ts. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  ValidationContext,
  visit,
} from "graphql";
import { type ComplexityEstimator, createComplexityRule } from "graphql-query-complexity";
import { type Arguments, costOf, mostArguments, type Sizes } from "../../graphql/costs.ts";

/** A fragment that is spread twice in one that is spread twice … is looked at each time. */
export const maxPlaces = 5_000;

export interface Operation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Record<string, unknown>;
}

/** What a field was given; or for all fields the most that they could be. */
type Given = "as-given" | "at-most";

interface Counted {
  readonly cost: number;
  /** False where a field was left out, since an argument of it has no usable value. */
  readonly isWhole: boolean;
}

/** The statements of a place do not multiply with the rows around it, so that they are kept apart and added at the end. */
function createCounter(sizes: Sizes, given: Given) {
  const counter = { once: 0 };
  const estimate: ComplexityEstimator = ({ type, field, args: own, childComplexity }) => {
    const args: Arguments = given === "as-given" ? own : mostArguments;
    const { once, each, items } = costOf(type.name, field);
    counter.once += once;
    return (items?.(args, sizes) ?? 1) * (each + childComplexity);
  };
  return { counter, estimate };
}

function count({ schema, document, operation, variables }: Operation, sizes: Sizes, given: Given): Counted | null {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const query: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] };
  const { counter, estimate } = createCounter(sizes, given);
  let items = 0;
  const rule = createComplexityRule({
    maximumComplexity: Number.MAX_VALUE,
    maxQueryNodes: maxPlaces,
    variables,
    estimators: [estimate],
    onComplete: (complexity) => {
      items = complexity;
    },
  });
  // An argument without its value costs nothing: the field is answered with an error, and the others go on.
  let isWhole = true;
  const context = new ValidationContext(schema, query, new TypeInfo(schema), () => {
    isWhole = false;
  });
  try {
    visit({ ...query, definitions: [operation] }, rule(context));
  } catch (error) {
    // The one error of the library's own that is about no place in the document.
    if (error instanceof GraphQLError && error.nodes === undefined) return null;
    throw error;
  }
  return { cost: items + counter.once, isWhole };
}

/** Null where there are more places than are looked at. Throws a GraphQLError for a condition that has no value. */
export function operationCost(operation: Operation, sizes: Sizes): number | null {
  return count(operation, sizes, "as-given")?.cost ?? null;
}

function hasVariableCondition(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive({ name, arguments: given = [] }) {
      const isCondition = name.value === "skip" || name.value === "include";
      if (isCondition && given.some(({ value }) => value.kind === Kind.VARIABLE)) found = true;
    },
  });
  return found;
}

/**
 * What the operation costs at the very most, whatever its variables will be: most documents are within the limit so, and
 * need not be counted again. Null where that cannot be said: by the variables of this call a field has no usable argument.
 */
export function mostCost(operation: Operation, sizes: Sizes): number | null {
  if (hasVariableCondition(operation.document)) return Number.POSITIVE_INFINITY;
  const counted = count(operation, sizes, "at-most");
  if (counted === null) return Number.POSITIVE_INFINITY;
  return counted.isWhole ? counted.cost : null;
}
