/** Tables of arguments, input fields and fields, with types, defaults and descriptions as the schema has them. */
import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  isRequiredArgument,
  isRequiredInputField,
  print,
} from "graphql";
import { code, prose, table } from "./markdown.ts";
import { typeLink } from "./names.ts";

type Given = GraphQLArgument | GraphQLInputField;

export function described({
  description,
  deprecationReason,
}: {
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
}): string {
  const deprecated = deprecationReason ? `**Deprecated:** ${prose(deprecationReason)}` : "";
  return [deprecated, prose(description ?? "")].filter((text) => text !== "").join("\n\n");
}

function defaultOf({ defaultValue, type }: Given): string {
  const node = defaultValue === undefined ? null : astFromValue(defaultValue, type);
  return node ? code(print(node)) : "";
}

/** One row: name, type, default or "required", description. */
function givenRow(path: string, given: Given, isRequired: boolean): string[] {
  return [code(path), typeLink(given.type), isRequired ? "required" : defaultOf(given), described(given)];
}

function inputRows(input: GraphQLInputObjectType, prefix = ""): string[][] {
  return Object.values(input.getFields()).map((field) =>
    givenRow(`${prefix}${field.name}`, field, isRequiredInputField(field)),
  );
}

const givenHeader = (what: string) => [what, "type", "default", "meaning"];

/** The arguments, and those of `input` one by one below it. */
export function argumentTable(args: readonly GraphQLArgument[], input: GraphQLInputObjectType | null): string {
  const rows = args.flatMap((argument) => [
    givenRow(argument.name, argument, isRequiredArgument(argument)),
    ...(argument.name === "input" && input !== null ? inputRows(input, "input.") : []),
  ]);
  return table(givenHeader("argument"), rows);
}

export function inputTable(input: GraphQLInputObjectType): string {
  return table(givenHeader("field"), inputRows(input));
}

function fieldName({ name, args }: GraphQLField<unknown, unknown>): string {
  const given = args.map((argument) => {
    const node = argument.defaultValue === undefined ? null : astFromValue(argument.defaultValue, argument.type);
    return `${argument.name}: ${String(argument.type)}${node ? ` = ${print(node)}` : ""}`;
  });
  return code(given.length === 0 ? name : `${name}(${given.join(", ")})`);
}

export function fieldTable(type: GraphQLObjectType | GraphQLInterfaceType): string {
  const rows = Object.values(type.getFields()).map((field) => [
    fieldName(field),
    typeLink(field.type),
    described(field),
  ]);
  return table(["field", "type", "meaning"], rows);
}
