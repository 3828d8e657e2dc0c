/** The sections of the types: refusals, objects, interfaces, input objects, enums and scalars, each where others link to. */
import {
  type GraphQLEnumType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
} from "graphql";
import { described, fieldTable, inputTable } from "./field-tables.ts";
import { blocks, code, heading, link, oneOf, prose, table } from "./markdown.ts";
import { typeId, typeLink } from "./names.ts";
import { isRefusal, ownSections } from "./placement.ts";

export interface TypeGroup {
  readonly title: string;
  readonly types: readonly GraphQLNamedType[];
}

const groups: readonly (readonly [title: string, belongs: (type: GraphQLNamedType) => boolean])[] = [
  ["Refusals", isRefusal],
  ["Objects", (type) => isObjectType(type) && !isRefusal(type)],
  ["Interfaces", isInterfaceType],
  ["Unions", isUnionType],
  ["Input objects", isInputObjectType],
  ["Enums", isEnumType],
  ["Scalars", isScalarType],
];

/** Those that have a type. */
export function typeGroups(schema: GraphQLSchema): readonly TypeGroup[] {
  const types = ownSections(schema);
  return groups
    .map(([title, belongs]) => ({ title, types: types.filter(belongs) }))
    .filter((group) => group.types.length > 0);
}

function valueTable(type: GraphQLEnumType): string {
  return table(
    ["value", "meaning"],
    type.getValues().map((value) => [code(value.name), described(value)]),
  );
}

function body(type: GraphQLNamedType, schema: GraphQLSchema, codeOf: (refusal: string) => string): string {
  if (isObjectType(type)) {
    const known = isRefusal(type) ? `Its code is ${code(codeOf(type.name))}.` : "";
    const interfaces = type.getInterfaces().map(typeLink);
    return blocks(known, interfaces.length === 0 ? "" : `Implements ${oneOf(interfaces, "and")}.`, fieldTable(type));
  }
  if (isInterfaceType(type)) {
    const members = schema.getImplementations(type).objects.map(typeLink);
    return blocks(fieldTable(type), `Implemented by ${oneOf(members, "and")}.`);
  }
  if (isUnionType(type)) return `One of ${oneOf(type.getTypes().map(typeLink))}.`;
  if (isInputObjectType(type)) return inputTable(type);
  if (isEnumType(type)) return valueTable(type);
  const { specifiedByURL } = type;
  return specifiedByURL ? `Specified by ${link(specifiedByURL, specifiedByURL)}.` : "";
}

export function typeSections(schema: GraphQLSchema, codeOf: (refusal: string) => string): string {
  return blocks(
    typeGroups(schema).map(({ title, types }) =>
      blocks(
        heading(2, title),
        types.map((type) =>
          blocks(heading(3, type.name, typeId(type)), prose(type.description ?? ""), body(type, schema, codeOf)),
        ),
      ),
    ),
  );
}
