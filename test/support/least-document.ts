/** The shortest document that asks for a field at the top of the schema: required arguments alone, with values of their types. */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  OperationTypeNode,
} from "graphql";

export interface LeastDocument {
  /** `query`, `mutation` or `subscription`. */
  readonly kind: string;
  /** Such as `Query.jobs`. */
  readonly field: string;
  readonly text: string;
}

const literals: Readonly<Record<string, string>> = { ID: '"x"', String: '"x"', Int: "1", Float: "1", Boolean: "false" };

/** As GraphQL text; `known` has values by the name of their argument or input field. */
function valueOf(type: GraphQLInputType, name: string, known: Readonly<Record<string, string>>): string {
  if (isNonNullType(type)) return valueOf(type.ofType, name, known);
  if (isListType(type)) return `[${valueOf(type.ofType, name, known)}]`;
  if (known[name] !== undefined) return JSON.stringify(known[name]);
  if (isEnumType(type)) return type.getValues()[0]?.name ?? "null";
  if (!isInputObjectType(type)) return literals[type.name] ?? "{}";
  const required = Object.values(type.getFields()).filter(isRequiredInputField);
  return `{${required.map((field) => `${field.name}: ${valueOf(field.type, field.name, known)}`).join(", ")}}`;
}

/** One for each field of the three roots. */
export function leastDocuments(schema: GraphQLSchema, known: Readonly<Record<string, string>> = {}): LeastDocument[] {
  return Object.values(OperationTypeNode).flatMap((kind) => {
    const root = schema.getRootType(kind);
    return Object.values(root?.getFields() ?? {}).map(({ name, args, type }) => {
      const given = args.filter(isRequiredArgument).map((one) => `${one.name}: ${valueOf(one.type, one.name, known)}`);
      const call = given.length === 0 ? name : `${name}(${given.join(", ")})`;
      const text = `${kind} { ${call} ${isLeafType(getNamedType(type)) ? "" : "{ __typename }"} }`;
      return { kind, field: `${root?.name}.${name}`, text };
    });
  });
}
