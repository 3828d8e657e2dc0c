/** Standard Schema, as far as an operation needs it: a library's schema that validates and describes itself. It judges nothing. */

export type PathStep = PropertyKey | { readonly key: PropertyKey };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly PathStep[] | undefined;
}

export type SchemaVerdict<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** A Standard Schema (version 1) that gives JSON Schema: Zod from 4.2 on, ArkType, Valibot with its converter and others. */
export interface DescribedSchema<Input = unknown, Value = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Value } | undefined;
    readonly validate: (value: unknown) => SchemaVerdict<Value> | Promise<SchemaVerdict<Value>>;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
      readonly output: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

/** The values that a schema accepts, before any transformation: what a caller sends and the store keeps. */
export type AcceptedBy<Schema extends DescribedSchema> = NonNullable<Schema["~standard"]["types"]>["input"];

function isContainer(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** What keeps a value from being a schema for an operation, or null when it is one. */
export function schemaFault(value: unknown): string | null {
  const standard: unknown = isContainer(value) && "~standard" in value ? value["~standard"] : undefined;
  if (!isContainer(standard) || !("validate" in standard) || typeof standard.validate !== "function") {
    return "must be a Standard Schema, such as z.object({ … }) of Zod";
  }
  const converter: unknown = "jsonSchema" in standard ? standard.jsonSchema : undefined;
  if (!isContainer(converter) || !("input" in converter) || typeof converter.input !== "function") {
    return "gives no JSON Schema: its library must implement Standard JSON Schema, as Zod does from 4.2 on";
  }
  return null;
}

export function isDescribedSchema(value: unknown): value is DescribedSchema {
  return schemaFault(value) === null;
}
