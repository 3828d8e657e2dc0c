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
import { costOf, type Sizes } from "../../graphql/costs.ts";

/** A fragment that is spread twice in one that is spread twice … is looked at each time. */
export const maxPlaces = 5_000;

export interface Operation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Record<string, unknown>;
}

/** The statements of a place do not multiply with the rows around it, so that they are kept apart and added at the end. */
function createCounter(sizes: Sizes) {
  const counter = { once: 0 };
  const estimate: ComplexityEstimator = ({ type, field, args, childComplexity }) => {
    const { once, each, items } = costOf(type.name, field);
    counter.once += once;
    return (items?.(args, sizes) ?? 1) * (each + childComplexity);
  };
  return { counter, estimate };
}

/** Null where there are more places than are looked at. Throws a GraphQLError for a condition that has no value. */
export function operationCost({ schema, document, operation, variables }: Operation, sizes: Sizes): number | null {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const query: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] };
  const { counter, estimate } = createCounter(sizes);
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
  const context = new ValidationContext(schema, query, new TypeInfo(schema), () => {});
  try {
    visit({ ...query, definitions: [operation] }, rule(context));
  } catch (error) {
    // The one error of the library's own that is about no place in the document.
    if (error instanceof GraphQLError && error.nodes === undefined) return null;
    throw error;
  }
  return items + counter.once;
}
