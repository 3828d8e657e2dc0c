/**
 * Refuses @skip and @include where a subscription names its one field, as the GraphQL specification of 2025 does: what is
 * subscribed to is decided before there are values. GraphQL's own rule throws there, and the executor fails.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type SelectionNode,
} from "graphql";

const conditions: ReadonlySet<string> = new Set(["skip", "include"]);

/** The selections whose fields are the operation's own: through fragments, each of them once. */
function rootSelections(
  selections: readonly SelectionNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  seen = new Set<string>(),
): SelectionNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return [selection, ...rootSelections(selection.selectionSet.selections, fragments, seen)];
    const name = selection.name.value;
    const below = seen.has(name) ? [] : (fragments.get(name)?.selectionSet.selections ?? []);
    seen.add(name);
    return [selection, ...rootSelections(below, fragments, seen)];
  });
}

export function conditionsAtRoot({ definitions }: DocumentNode): GraphQLError[] {
  const fragments = new Map(
    definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [])),
  );
  const roots = definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION && one.operation === OperationTypeNode.SUBSCRIPTION
      ? rootSelections(one.selectionSet.selections, fragments)
      : [],
  );
  const nodes = roots.flatMap(({ directives = [] }) => directives.filter(({ name }) => conditions.has(name.value)));
  const message = "A subscription takes no @skip and no @include at its root: leave the operation out instead.";
  return nodes.map((node) => new GraphQLError(message, { nodes: node }));
}
