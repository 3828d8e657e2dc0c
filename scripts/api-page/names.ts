/** How the page names what the schema has: the anchor of each type and field, and types as links to them. */
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLType,
  getNamedType,
  isSpecifiedScalarType,
} from "graphql";
import { code, link } from "./markdown.ts";

function kebab(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}

export function typeId({ name }: Pick<GraphQLNamedType, "name">): string {
  return `type-${kebab(name)}`;
}

/** `Query`, `job` is query-job. */
export function fieldId(
  root: Pick<GraphQLNamedType, "name">,
  field: Pick<GraphQLField<unknown, unknown>, "name">,
): string {
  return `${kebab(root.name)}-${kebab(field.name)}`;
}

export function fragmentId(name: string): string {
  return `fragment-${kebab(name)}`;
}

/** The type as it is written, leading to its section; GraphQL's own scalars have none. */
export function typeLink(type: GraphQLType): string {
  const named = getNamedType(type);
  return isSpecifiedScalarType(named) ? code(String(type)) : link(code(String(type)), `#${typeId(named)}`);
}
