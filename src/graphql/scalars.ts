/** The two scalars of the API. JSON refuses nothing: what cannot be stored is each mutation's to refuse. */
import { Kind, type ObjectValueNode, type ValueNode } from "graphql";
import type { Json } from "../domain/json.ts";
import { builder } from "./builder.ts";
import { badUserInput } from "./errors.ts";
import { parseInstant } from "./parse-instant.ts";

type Variables = Readonly<Record<string, unknown>> | null | undefined;

/** Of a variable GraphQL says itself where it is; of a literal, `node` says it. */
function instantFrom(value: unknown, node?: ValueNode): Date {
  const instant = typeof value === "string" ? parseInstant(value) : null;
  if (instant !== null) return instant;
  throw badUserInput("A DateTime is an RFC 3339 instant with an offset, such as 2026-03-01T09:30:00.000Z.", node);
}

builder.scalarType("DateTime", {
  description: "An instant, RFC 3339 in UTC, always with three digits of a second: as strings they sort in time.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc3339",
  serialize: (value) => value.toISOString(),
  parseValue: (value) => instantFrom(value),
  parseLiteral: (node) => instantFrom(node.kind === Kind.STRING ? node.value : null, node),
});

/** An own property whatever its name: plain assignment would take `__proto__` for the prototype. */
function setOwn(target: { [key: string]: Json }, key: string, value: Json): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function objectFrom(node: ObjectValueNode, variables: Variables): Json {
  const object: { [key: string]: Json } = {};
  for (const field of node.fields) {
    // As in GraphQL's own input objects, a field whose variable was not given is left out.
    if (isMissing(field.value, variables)) continue;
    setOwn(object, field.name.value, jsonFrom(field.value, variables));
  }
  return object;
}

function isMissing(node: ValueNode, variables: Variables): boolean {
  return node.kind === Kind.VARIABLE && variables?.[node.name.value] === undefined;
}

/** A variable has been read by its own type before it lands in a JSON literal; an instant becomes text again. */
function jsonOfVariable(value: unknown): Json {
  return value instanceof Date ? value.toISOString() : ((value ?? null) as Json);
}

/** A number too great for a double arrives as an unsafe integer or as Infinity, and is refused where it would be stored. */
export function jsonFrom(node: ValueNode, variables: Variables): Json {
  switch (node.kind) {
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.ENUM:
      return node.value;
    case Kind.LIST:
      return node.values.map((item) => jsonFrom(item, variables));
    case Kind.OBJECT:
      return objectFrom(node, variables);
    default:
      return jsonOfVariable(variables?.[node.name.value]);
  }
}

builder.scalarType("JSON", {
  description: `Any JSON value. The scalar itself refuses nothing. Each mutation refuses what cannot be stored (integers beyond ±(2^53-1),
NUL characters, lone surrogates) with a member of its union that names the place, and never rounds or alters.`,
  serialize: (value) => value,
  parseValue: (value) => value as Json,
  parseLiteral: (node, variables) => jsonFrom(node, variables),
});
