/** What decides how a delivery looks to a follower, as a text: equal for two who are shown the very same. It carries nothing out. */
import {
  type DocumentNode,
  type ExecutionArgs,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type VariableNode,
  visit,
} from "graphql";
import type { RequestContext } from "../graphql/context.ts";

const numbers = new WeakMap<DocumentNode, number>();
let lastNumber = 0;

/** Parsed documents are kept by their text, so that those of many followers are one object. */
function numberOf(document: DocumentNode): number {
  const number = numbers.get(document) ?? ++lastNumber;
  numbers.set(document, number);
  return number;
}

/** The arguments of the field at the top only choose what is followed: no resolver sees them (guard-root-fields.ts). */
function withoutRootArguments(operation: OperationDefinitionNode): OperationDefinitionNode {
  const selections = operation.selectionSet.selections.map((one) =>
    one.kind === Kind.FIELD ? { ...one, arguments: [] } : one,
  );
  return { ...operation, variableDefinitions: [], selectionSet: { ...operation.selectionSet, selections } };
}

function variablesBeneath(document: DocumentNode, operation: OperationDefinitionNode): Set<string> {
  const names = new Set<string>();
  const Variable = { enter: ({ name }: VariableNode) => void names.add(name.value) };
  visit(withoutRootArguments(operation), { Variable });
  for (const one of document.definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) visit(one, { Variable });
  return names;
}

/** When the viewer's token ends is no part of it: nothing that is followed shows that. */
export function sharingKey({ document, operationName, variableValues, contextValue }: ExecutionArgs): string {
  const operation = getOperationAST(document, operationName);
  if (!operation) throw new Error("a stream without an operation");
  const beneath = variablesBeneath(document, operation);
  const variables = Object.entries(variableValues ?? {}).filter(([name]) => beneath.has(name));
  const { expiresAt: _, roles, ...viewer } = (contextValue as RequestContext).viewer;
  return JSON.stringify([numberOf(document), operationName, variables, [...roles].toSorted(), viewer]);
}
