/** Which parts of the contract an exchange has shown: what was sent in its document and variables, and what came back. It judges no value. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  isUnionType,
  Kind,
  parse,
  type SelectionSetNode,
  TypeInfo,
  typeFromAST,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { contract } from "./contract-parts.ts";
import type { Exchange } from "./traffic.ts";

const parsed = new Map<string, DocumentNode>();

/** The same few documents are sent over and over. */
function parseOnce(document: string): DocumentNode {
  const known = parsed.get(document) ?? parse(document);
  parsed.set(document, known);
  return known;
}

type Row = Readonly<Record<string, unknown>>;
type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An empty list shows nothing of what it is a list of. */
function shows(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** Adds what the document and its variables give to arguments and input fields; null is as good as nothing given. */
function noteSent(seen: Set<string>, { document, variables }: Exchange): void {
  const info = new TypeInfo(contract);
  const isGiven = (value: ValueNode) =>
    value.kind === Kind.VARIABLE ? shows(variables[value.name.value]) : value.kind !== Kind.NULL;
  const visitor = visitWithTypeInfo(info, {
    Argument({ name, value }) {
      if (isGiven(value)) seen.add(`${info.getParentType()?.name}.${info.getFieldDef()?.name}(${name.value}:)`);
    },
    ObjectField({ name, value }) {
      const parent = getNamedType(info.getParentInputType());
      if (isInputObjectType(parent) && isGiven(value)) seen.add(`${parent.name}.${name.value}`);
    },
    EnumValue({ value }) {
      const type = getNamedType(info.getInputType());
      if (isEnumType(type)) seen.add(`${type.name}.${value}`);
    },
    VariableDefinition({ variable, type }) {
      noteInput(seen, typeFromAST(contract, type as never), variables[variable.name.value]);
    },
  });
  visit(parseOnce(document), visitor);
}

function noteInput(seen: Set<string>, given: GraphQLType | undefined, value: unknown): void {
  if (!shows(value) || given === undefined) return;
  const type = getNullableType(given);
  if (isListType(type)) for (const one of [value].flat()) noteInput(seen, type.ofType, one);
  if (isEnumType(type)) seen.add(`${type.name}.${String(value)}`);
  if (!isInputObjectType(type) || !isRow(value)) return;
  for (const field of Object.values(type.getFields())) {
    if (shows(value[field.name])) seen.add(`${type.name}.${field.name}`);
    noteInput(seen, field.type, value[field.name]);
  }
}

/** The type of a value by its __typename; without one a value of an interface or union has none. */
function runtimeType(declared: GraphQLNamedType, row: Row): GraphQLNamedType | undefined {
  if (typeof row["__typename"] === "string") return contract.getType(row["__typename"]);
  return isObjectType(declared) ? declared : undefined;
}

function noteRow(
  seen: Set<string>,
  fragments: Fragments,
  { selections }: SelectionSetNode,
  declared: GraphQLNamedType,
  row: Row,
): void {
  const runtime = runtimeType(declared, row);
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      const value = row[(selection.alias ?? selection.name).value];
      for (const owner of new Set([declared, runtime])) {
        if (!isObjectType(owner) && !isInterfaceType(owner)) continue;
        const field = owner.getFields()[selection.name.value];
        if (field === undefined || value === undefined) continue;
        if (value === null) seen.add(`${owner.name}.${field.name} null`);
        else if (shows(value)) seen.add(`${owner.name}.${field.name}`);
        for (const one of [value].flat()) noteValue(seen, fragments, selection.selectionSet, field.type, one);
      }
      continue;
    }
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    const condition = fragment?.typeCondition ? contract.getType(fragment.typeCondition.name.value) : declared;
    if (fragment === undefined || condition === undefined) continue;
    const fits =
      runtime === condition ||
      (isAbstractType(condition) && isObjectType(runtime) && contract.isSubType(condition, runtime));
    if (fits) noteRow(seen, fragments, fragment.selectionSet, condition, row);
  }
}

function noteValue(
  seen: Set<string>,
  fragments: Fragments,
  selections: SelectionSetNode | undefined,
  declared: GraphQLType,
  value: unknown,
): void {
  const type = getNamedType(declared);
  if (isEnumType(type) && typeof value === "string") seen.add(`${type.name}.${value}`);
  if (selections === undefined || !isRow(value)) return;
  if (isUnionType(type)) seen.add(`${type.name} = ${String(value["__typename"])}`);
  noteRow(seen, fragments, selections, type, value);
}

/** Sights as contract-parts.ts names them. */
export function noteSightings(seen: Set<string>, exchange: Exchange): void {
  noteSent(seen, exchange);
  const { definitions } = parseOnce(exchange.document);
  const fragments = new Map(
    definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [])),
  );
  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const root = contract.getRootType(definition.operation);
    if (root) noteRow(seen, fragments, definition.selectionSet, root, exchange.data);
  }
}
