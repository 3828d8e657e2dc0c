/** One document for each field of the root types that selects all that can be reached from it. It knows the schema alone: what is added to that is walked by itself. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
  OperationTypeNode,
} from "graphql";

/** An argument somewhere in a document; one that stands there several times has one variable. */
export interface Spot {
  readonly variable: string;
  /** As schema coordinates have it, without the argument: Job.attempts. */
  readonly field: string;
  readonly argument: GraphQLArgument;
}

export interface WalkDocument {
  readonly operation: OperationTypeNode;
  readonly field: string;
  /** The same with its type: Query.jobs. */
  readonly root: string;
  readonly text: string;
  readonly spots: readonly Spot[];
}

/** What a document has so far: its arguments, and the types of which all fields stand in it. */
interface Draft {
  readonly schema: GraphQLSchema;
  readonly spots: Map<string, Spot>;
  readonly whole: Set<string>;
}

function selectField(draft: Draft, parent: GraphQLNamedType, field: GraphQLField<unknown, unknown>): string {
  const given = field.args.map((argument) => {
    const variable = `${parent.name}_${field.name}_${argument.name}`;
    draft.spots.set(variable, { variable, field: `${parent.name}.${field.name}`, argument });
    return `${argument.name}: $${variable}`;
  });
  const type = getNamedType(field.type);
  const below = isCompositeType(type) ? ` ${selectionOf(draft, type)}` : "";
  return `${field.name}${given.length === 0 ? "" : `(${given.join(", ")})`}${below}`;
}

/** A value, or an object of nothing but values. */
function isPlain(given: GraphQLOutputType): boolean {
  const type = getNamedType(given);
  if (!isObjectType(type)) return !isCompositeType(type);
  return Object.values(type.getFields()).every((field) => !isCompositeType(getNamedType(field.type)));
}

/** Where a type stands first, with all of its fields; where it stands again, with the plain ones. */
function selectionOf(draft: Draft, type: GraphQLNamedType, prefix = ""): string {
  if (isAbstractType(type)) {
    // Fields of two members may have one name and different types, so each is renamed after its member.
    const parts = draft.schema.getPossibleTypes(type).map((member) => {
      const selected = selectionOf({ ...draft, whole: new Set(draft.whole) }, member, `${member.name}_`);
      return `... on ${member.name} ${selected}`;
    });
    return `{ __typename ${parts.join(" ")} }`;
  }
  if (!isObjectType(type)) throw new Error(`${type.name} has no fields.`);
  const isAgain = draft.whole.has(type.name);
  draft.whole.add(type.name);
  const selected = Object.values(type.getFields())
    .filter((field) => !isAgain || isPlain(field.type))
    .map((field) => `${prefix && `${prefix}${field.name}: `}${selectField(draft, type, field)}`);
  return `{ __typename ${selected.join(" ")} }`;
}

/** A variable may be left out where the argument may be; a default stands in for it then. */
function declare({ variable, argument }: Spot): string {
  const type = String(argument.type);
  return `$${variable}: ${isRequiredArgument(argument) ? type : type.replace(/!$/, "")}`;
}

export function documentsOf(schema: GraphQLSchema): WalkDocument[] {
  return Object.values(OperationTypeNode).flatMap((operation) => {
    const root = schema.getRootType(operation);
    return Object.values(root?.getFields() ?? {}).map((field) => {
      const spots = new Map<string, Spot>();
      const selected = selectField({ schema, spots, whole: new Set() }, root!, field);
      const declared = [...spots.values()].map(declare);
      const variables = declared.length === 0 ? "" : ` (${declared.join(", ")})`;
      const text = `${operation}${variables} { ${selected} }`;
      return { operation, field: field.name, root: `${root?.name}.${field.name}`, text, spots: [...spots.values()] };
    });
  });
}
