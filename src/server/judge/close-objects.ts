/**
 * Closes the objects of a JSON Schema: a property that the schema does not name is refused. It changes nothing else, and
 * leaves every object alone that says itself what further properties it takes.
 */
import type { Json } from "../../domain/json.ts";

export type SchemaObject = { [key: string]: Json };

/** Keywords whose value is one schema, a list of them or a map of them, each judging a value inside the object or array. */
const innerKeywords = [
  "items",
  "additionalProperties",
  "unevaluatedProperties",
  "contains",
  "unevaluatedItems",
] as const;
const innerLists = ["prefixItems"] as const;
const innerMaps = ["properties", "patternProperties", "$defs", "definitions"] as const;

/** Keywords whose schemas judge the very value that their own schema judges. `not` and `if` stay as they are: closing would turn their sense. */
const sameValueLists = ["allOf", "anyOf", "oneOf"] as const;
const sameValueKeywords = ["then", "else"] as const;

function isSchema(value: Json | undefined): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether several parts of the schema share one object, so that none of them alone knows all its properties. */
function isComposite(schema: SchemaObject): boolean {
  if (schema["allOf"] !== undefined || schema["then"] !== undefined || schema["else"] !== undefined) return true;
  const sharesValue = schema["anyOf"] !== undefined || schema["oneOf"] !== undefined || schema["$ref"] !== undefined;
  return sharesValue && schema["properties"] !== undefined;
}

/** Closes one schema, whose definitions it keeps in `root`. */
class Closer {
  readonly #root: SchemaObject;
  readonly #openCopies: SchemaObject = {};

  constructor(root: SchemaObject) {
    this.#root = root;
  }

  close(): SchemaObject {
    const closed = this.#visit(this.#root, false) as SchemaObject;
    if (Object.keys(this.#openCopies).length === 0) return closed;
    const definitions = isSchema(closed["$defs"]) ? closed["$defs"] : {};
    return { ...closed, $defs: { ...definitions, ...this.#openCopies } };
  }

  /** `open` says that another schema judges the same object and closes it. */
  #visit(node: Json, open: boolean): Json {
    if (!isSchema(node)) return node;
    const composite = isComposite(node);
    const schema = this.#visitParts(node, open || composite);
    if (open || schema["additionalProperties"] !== undefined || schema["unevaluatedProperties"] !== undefined)
      return schema;
    if (composite) return { ...schema, unevaluatedProperties: false };
    return schema["properties"] === undefined ? schema : { ...schema, additionalProperties: false };
  }

  #visitParts(node: SchemaObject, open: boolean): SchemaObject {
    const schema = { ...node };
    const inner = (child: Json) => this.#visit(child, false);
    const same = (child: Json) => this.#visit(child, open);
    for (const keyword of innerKeywords) if (isSchema(schema[keyword])) schema[keyword] = inner(schema[keyword]);
    for (const keyword of sameValueKeywords) if (isSchema(schema[keyword])) schema[keyword] = same(schema[keyword]);
    for (const keyword of innerLists) if (Array.isArray(schema[keyword])) schema[keyword] = schema[keyword].map(inner);
    for (const keyword of sameValueLists)
      if (Array.isArray(schema[keyword])) schema[keyword] = schema[keyword].map(same);
    for (const keyword of innerMaps) {
      const map = schema[keyword];
      if (isSchema(map))
        schema[keyword] = Object.fromEntries(Object.entries(map).map(([key, child]) => [key, inner(child)]));
    }
    if (open && typeof schema["$ref"] === "string") schema["$ref"] = this.#openReference(schema["$ref"]);
    return schema;
  }

  /** A definition that is closed for its other users gets a copy that is not. */
  #openReference(reference: string): string {
    const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1];
    const definitions = this.#root["$defs"];
    if (name === undefined || !isSchema(definitions) || definitions[name] === undefined) return reference;
    const copy = `${name}:open`;
    if (this.#openCopies[copy] === undefined) {
      this.#openCopies[copy] = true;
      this.#openCopies[copy] = this.#visit(definitions[name], true);
    }
    return `#/$defs/${copy}`;
  }
}

export function closeObjects(schema: SchemaObject): SchemaObject {
  return new Closer(schema).close();
}
