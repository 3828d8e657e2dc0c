/** Which types are described at the field that they belong to, and which in a section of their own. It writes no Markdown. */
import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
} from "graphql";

/** A field of Query, Mutation or Subscription. */
export type RootField = GraphQLField<unknown, unknown>;

export function rootTypes(schema: GraphQLSchema): readonly GraphQLObjectType[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return roots.filter((type) => type !== undefined && type !== null);
}

/** An object of the schema's refusals: whoever implements UserError. */
export function isRefusal(type: GraphQLNamedType): type is GraphQLObjectType {
  return isObjectType(type) && type.getInterfaces().some(({ name }) => name === "UserError");
}

/** The input object that is the field's own `input`. */
export function inputOf({ args }: RootField): GraphQLInputObjectType | null {
  const type = args.find(({ name }) => name === "input")?.type;
  const named = type === undefined ? null : getNamedType(type);
  return isInputObjectType(named) ? named : null;
}

/** The successes among the members of a field's union. */
export function successesOf({ type }: RootField): readonly GraphQLObjectType[] {
  const named = getNamedType(type);
  return isUnionType(named) ? named.getTypes().filter((member) => !isRefusal(member)) : [];
}

/** What is described at one of the fields: its input, its union and the successes in it. */
export function typesOfField(field: RootField): readonly GraphQLNamedType[] {
  const answer = getNamedType(field.type);
  const input = inputOf(field);
  return [...(input === null ? [] : [input]), ...(isUnionType(answer) ? [answer, ...successesOf(field)] : [])];
}

/** Every type that has a section of its own, by name. */
export function ownSections(schema: GraphQLSchema): readonly GraphQLNamedType[] {
  const roots = rootTypes(schema);
  const fields = roots.flatMap((root) => Object.values(root.getFields()));
  const elsewhere = new Set<GraphQLNamedType>([...roots, ...fields.flatMap(typesOfField)]);
  return Object.values(schema.getTypeMap())
    .filter((type) => !elsewhere.has(type) && !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
