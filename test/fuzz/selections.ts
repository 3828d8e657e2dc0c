/** Arbitrary selections of an output type: fields with arguments, aliases and directives, fragments, down to a bounded depth. */
import fc, { type Arbitrary } from "fast-check";
import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  isUnionType,
} from "graphql";
import { argumentsOf } from "./input-values.ts";
import { seldom } from "./scalar-values.ts";

export interface ChosenDirective {
  readonly name: "skip" | "include";
  readonly condition: boolean;
  readonly inVariable: boolean;
}

export interface ChosenField {
  readonly kind: "field";
  readonly field: GraphQLField<unknown, unknown> | null;
  readonly args: Readonly<Record<string, unknown>>;
  readonly alias: string | null;
  readonly directive: ChosenDirective | null;
  /** Written twice, which GraphQL merges into one. */
  readonly isTwice: boolean;
  readonly selections: readonly Chosen[] | null;
}

export interface ChosenFragment {
  readonly kind: "fragment";
  readonly on: string;
  readonly isNamed: boolean;
  readonly directive: ChosenDirective | null;
  readonly selections: readonly Chosen[];
}

export type Chosen = ChosenField | ChosenFragment;

const directives: Arbitrary<ChosenDirective | null> = seldom(
  fc.record({ name: fc.constantFrom("skip", "include"), condition: fc.boolean(), inVariable: fc.boolean() }),
  20,
);
const aliases = seldom(fc.constantFrom("a", "b", "id", "job", "__typename_", "x1"), 6);
/** `__typename`, which every composite type has. */
const typename: Arbitrary<Chosen> = fc.constant({
  kind: "field",
  field: null,
  args: {},
  alias: null,
  directive: null,
  isTwice: false,
  selections: null,
});

export interface SelectionChooser {
  /** One field of a root type, with whatever is chosen below it. */
  rootField(field: GraphQLField<unknown, unknown>, depth: number): Arbitrary<ChosenField>;
}

export function createChooser(schema: GraphQLSchema): SelectionChooser {
  const known = new Map<string, Arbitrary<readonly Chosen[]>>();

  function fieldOf(field: GraphQLField<unknown, unknown>, depth: number): Arbitrary<ChosenField> {
    const type = getNamedType(field.type);
    return fc.record({
      kind: fc.constant("field" as const),
      field: fc.constant(field),
      args: argumentsOf(field.args, field.name),
      alias: aliases,
      directive: directives,
      isTwice: fc.nat(25).map((n) => n === 25),
      selections: isCompositeType(type) ? selectionsOf(type, depth) : fc.constant(null),
    });
  }

  function fragmentOn(on: GraphQLCompositeType, depth: number): Arbitrary<ChosenFragment> {
    return fc.record({
      kind: fc.constant("fragment" as const),
      on: fc.constant(on.name),
      isNamed: fc.boolean(),
      directive: directives,
      selections: selectionsOf(on, depth),
    });
  }

  /** Fields of objects are chosen more often than plain ones, since there are fewer of them. */
  function choicesOf(type: GraphQLCompositeType, depth: number): { weight: number; arbitrary: Arbitrary<Chosen> }[] {
    const fields = isUnionType(type) ? [] : Object.values(type.getFields());
    const within = fields.filter((field) => depth > 0 || !isCompositeType(getNamedType(field.type)));
    const ofFields = within.map((field) => ({
      weight: isCompositeType(getNamedType(field.type)) ? 3 : 1,
      arbitrary: fieldOf(field, depth - 1),
    }));
    if (depth <= 0) return ofFields;
    const members = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
    const interfaces = isUnionType(type)
      ? [schema.getType("UserError")]
      : isObjectType(type)
        ? type.getInterfaces()
        : [];
    const ofMembers = members.map((member) => ({ weight: 3, arbitrary: fragmentOn(member, depth - 1) }));
    const ofInterfaces = interfaces
      .filter((one) => isCompositeType(one))
      .map((one) => ({ weight: 1, arbitrary: fragmentOn(one, depth - 1) }));
    return [...ofFields, ...ofMembers, ...ofInterfaces];
  }

  function selectionsOf(type: GraphQLCompositeType, depth: number): Arbitrary<readonly Chosen[]> {
    const key = `${type.name} ${depth}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const one = fc.oneof({ weight: 1, arbitrary: typename }, ...choicesOf(type, depth));
    const several = fc.array(one, { minLength: 1, maxLength: depth > 1 ? 5 : 3 });
    known.set(key, several);
    return several;
  }

  return { rootField: fieldOf };
}
