/** Which parts of a schema documents have asked for, with their arguments and input fields, as schema coordinates. It sends nothing. */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";

/** Every field, argument and input field, but those of introspection; an interface's fields are its members'. */
export function partsOfSchema(schema: GraphQLSchema): string[] {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__"));
  return types.flatMap((type) => {
    if (isInputObjectType(type)) return Object.keys(type.getFields()).map((field) => `${type.name}.${field}`);
    if (!isObjectType(type) || isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap(({ name, args }) => [
      `${type.name}.${name}`,
      ...args.map((argument) => `${type.name}.${name}(${argument.name}:)`),
    ]);
  });
}

function noteInput(walked: Set<string>, given: GraphQLInputType, value: unknown): void {
  const type = getNamedType(given);
  if (!isInputObjectType(type)) return;
  for (const one of [value].flat()) {
    for (const [name, within] of Object.entries((one ?? {}) as Record<string, unknown>)) {
      walked.add(`${type.name}.${name}`);
      const field = type.getFields()[name];
      if (field !== undefined) noteInput(walked, field.type, within);
    }
  }
}

const noted = new WeakMap<ReadonlySet<string>, Set<string>>();

/** Arguments count where their variable was given. What has been noted before is not read again. */
export function noteWalked(
  walked: Set<string>,
  schema: GraphQLSchema,
  text: string,
  variables: Readonly<Record<string, unknown>>,
): void {
  const known = noted.get(walked) ?? new Set();
  noted.set(walked, known);
  const shape = text + JSON.stringify(variables, (_name, value: unknown) => (typeof value === "string" ? "" : value));
  if (known.has(shape)) return;
  known.add(shape);
  const info = new TypeInfo(schema);
  visit(
    parse(text),
    visitWithTypeInfo(info, {
      Field: ({ name }) => void walked.add(`${info.getParentType()?.name}.${name.value}`),
      Argument({ name, value }) {
        if (value.kind !== Kind.VARIABLE || !(value.name.value in variables)) return;
        walked.add(`${info.getParentType()?.name}.${info.getFieldDef()?.name}(${name.value}:)`);
        const type = info.getInputType();
        if (type) noteInput(walked, type, variables[value.name.value]);
      },
    }),
  );
}
