/** Makes up a value that a JSON Schema is likely to accept, for a form to start from. It does not judge what it made. */
import type { Json } from "../domain/json.ts";
import type { SchemaObject } from "./judge/close-objects.ts";

/** Deep enough for any form; a schema that contains itself ends here. */
const maxDepth = 8;

function isObject(value: Json | undefined): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function resolve(reference: string, root: SchemaObject): Json | undefined {
  const steps = reference
    .replace(/^#\/?/, "")
    .split("/")
    .filter((step) => step !== "");
  return steps.reduce<Json | undefined>(
    (node, step) => (isObject(node) ? node[step.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined),
    root,
  );
}

function numberIn(schema: SchemaObject): number {
  const { minimum, exclusiveMinimum, maximum } = schema;
  if (typeof exclusiveMinimum === "number") return exclusiveMinimum + 1;
  const least =
    typeof minimum === "number" && Number.isSafeInteger(minimum) && minimum > Number.MIN_SAFE_INTEGER ? minimum : 1;
  return typeof maximum === "number" ? Math.min(least, maximum) : least;
}

function textIn({ minLength, format }: SchemaObject): string {
  if (format === "date-time") return "2030-01-01T00:00:00Z";
  if (format === "date") return "2030-01-01";
  if (format === "email") return "somebody@example.com";
  if (format === "uri") return "https://example.com/";
  return "text".padEnd(typeof minLength === "number" ? minLength : 0, " text");
}

function objectIn(schema: SchemaObject, root: SchemaObject, depth: number): Json {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"])
    ? schema["required"].filter((name) => typeof name === "string")
    : [];
  return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? true, root, depth + 1)]));
}

function arrayIn({ items, minItems }: SchemaObject, root: SchemaObject, depth: number): Json {
  const length = typeof minItems === "number" ? Math.min(minItems, 3) : 1;
  return items === undefined ? [] : Array.from({ length }, () => sample(items, root, depth + 1));
}

function firstOf(list: Json | undefined): Json | undefined {
  return Array.isArray(list) ? list[0] : undefined;
}

function sample(schema: Json, root: SchemaObject, depth: number): Json {
  if (!isObject(schema) || depth > maxDepth) return null;
  const given = firstOf(schema["examples"]) ?? schema["default"] ?? schema["const"] ?? firstOf(schema["enum"]);
  if (given !== undefined) return given;
  const other =
    typeof schema["$ref"] === "string"
      ? resolve(schema["$ref"], root)
      : (firstOf(schema["anyOf"]) ?? firstOf(schema["oneOf"]));
  if (other !== undefined) return sample(other, root, depth + 1);
  const type = firstOf(schema["type"]) ?? schema["type"];
  if (type === "string") return textIn(schema);
  if (type === "number" || type === "integer") return numberIn(schema);
  if (type === "boolean") return false;
  if (type === "array") return arrayIn(schema, root, depth);
  return type === "object" || schema["properties"] !== undefined ? objectIn(schema, root, depth) : null;
}

export function sampleValue(schema: Json): Json {
  return sample(schema, isObject(schema) ? schema : {}, 0);
}
