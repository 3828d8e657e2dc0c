/** What a schema breaks of a released one, and what may surprise its callers. graphql-js compares; this adds what it overlooks. */
import {
  astFromValue,
  type BreakingChange,
  BreakingChangeType,
  type DangerousChange,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  print,
} from "graphql";

export interface Differences {
  readonly breaking: readonly BreakingChange[];
  readonly dangerous: readonly DangerousChange[];
}

type Given = GraphQLArgument | GraphQLInputField;

/** Every argument and input field of a type, under a name that people know it by. */
function givenOf(type: GraphQLNamedType): [name: string, given: Given][] {
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field]);
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) =>
    field.args.map((argument): [string, Given] => [`${type.name}.${field.name}(${argument.name}:)`, argument]),
  );
}

function allGiven(schema: GraphQLSchema): Map<string, Given> {
  return new Map(Object.values(schema.getTypeMap()).flatMap(givenOf));
}

function defaultText({ defaultValue, type }: Given): string {
  const node = defaultValue === undefined ? null : astFromValue(defaultValue, type);
  return node ? print(node) : "none";
}

/**
 * Of defaults graphql-js sees those of arguments alone, while every mutation takes an input object, and where a default
 * goes it does not see that what could be left out has become required.
 */
function compareDefaults(before: GraphQLSchema, after: GraphQLSchema): Differences {
  const breaking: BreakingChange[] = [];
  const dangerous: DangerousChange[] = [];
  const given = allGiven(after);
  for (const [name, old] of allGiven(before)) {
    const now = given.get(name);
    if (now === undefined) continue;
    const [was, is] = [defaultText(old), defaultText(now)];
    if (was === is) continue;
    const isArgument = name.includes("(");
    if (is === "none" && isNonNullType(now.type)) {
      const type = isArgument ? BreakingChangeType.REQUIRED_ARG_ADDED : BreakingChangeType.REQUIRED_INPUT_FIELD_ADDED;
      breaking.push({ type, description: `${name} has lost its default ${was} and is required.` });
    } else if (!isArgument) {
      const description = `${name} has changed its default from ${was} to ${is}.`;
      dangerous.push({ type: DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE, description });
    }
  }
  return { breaking, dangerous };
}

export function compareSchemas(before: GraphQLSchema, after: GraphQLSchema): Differences {
  const defaults = compareDefaults(before, after);
  return {
    breaking: [...findBreakingChanges(before, after), ...defaults.breaking],
    dangerous: [...findDangerousChanges(before, after), ...defaults.dangerous],
  };
}
