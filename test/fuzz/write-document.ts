/** Writes what was chosen as a document and its variables, with the ids that the world has now. It chooses nothing. */
import { type GraphQLInputType, getNullableType, isEnumType, isInputObjectType, isListType } from "graphql";
import { InVariable, Ref, Spelled } from "./chosen-values.ts";
import type { Chosen, ChosenDirective, ChosenField } from "./selections.ts";

export type Resolve = (ref: Ref) => string;

/** JSON text of a chosen value; `undefined` is left out, as JSON.stringify does. */
function jsonText(value: unknown, resolve: Resolve): string {
  if (value instanceof InVariable) return jsonText(value.value, resolve);
  if (value instanceof Ref) return JSON.stringify(resolve(value));
  if (value instanceof Spelled) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => jsonText(item, resolve)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${jsonText(field, resolve)}`).join(",")}}`;
}

const isName = (text: string) => /^[_A-Za-z]\w*$/.test(text);

/** Whether GraphQL's syntax can say it: its objects have names for keys. */
function isSayable(value: unknown): boolean {
  if (value instanceof Ref || value instanceof InVariable) return true;
  if (value instanceof Spelled) return !value.text.startsWith("{");
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.length <= 100 && value.every(isSayable);
  return Object.entries(value).every(([name, field]) => isName(name) && isSayable(field));
}

export interface Written {
  readonly query: string;
  /** JSON text. */
  readonly variables: string;
}

export interface Operation {
  readonly kind: "query" | "mutation" | "subscription";
  readonly name: string | null;
  readonly selections: readonly Chosen[];
}

export function writeDocument({ kind, name, selections }: Operation, resolve: Resolve): Written {
  const declared: string[] = [];
  const given: string[] = [];
  const fragments: string[] = [];

  function variable({ value, mode }: InVariable, type: GraphQLInputType): string {
    const id = `v${declared.length}`;
    declared.push("");
    // Its own variables cannot stand in a default.
    const fallback = mode === "nulled" && isSayable(value) ? literal(plain(value), getNullableType(type)) : null;
    const shown =
      fallback === null || fallback === "null" ? String(type) : `${String(getNullableType(type))} = ${fallback}`;
    declared[Number(id.slice(1))] = `$${id}: ${shown}`;
    if (mode !== "absent") given.push(`"${id}":${mode === "nulled" ? "null" : jsonText(value, resolve)}`);
    return `$${id}`;
  }

  function literal(value: unknown, type: GraphQLInputType | undefined): string {
    if (value instanceof InVariable) return type === undefined ? literal(value.value, type) : variable(value, type);
    if (!isSayable(value) && type !== undefined) return variable(new InVariable(value, "given"), type);
    if (value instanceof Ref) return JSON.stringify(resolve(value));
    if (value instanceof Spelled) return value.text;
    const bare = type === undefined ? undefined : getNullableType(type);
    if (Array.isArray(value)) {
      const item = isListType(bare) ? bare.ofType : undefined;
      return `[${value.map((one) => literal(one, item)).join(", ")}]`;
    }
    if (typeof value === "string") return isEnumType(bare) && isName(value) ? value : JSON.stringify(value);
    if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
    const fields = isInputObjectType(bare) ? bare.getFields() : {};
    const shown = Object.entries(value).filter(([, one]) => one !== undefined);
    return `{${shown.map(([key, one]) => `${key}: ${literal(one, fields[key]?.type)}`).join(", ")}}`;
  }

  function directive(chosen: ChosenDirective | null): string {
    if (chosen === null) return "";
    if (!chosen.inVariable) return ` @${chosen.name}(if: ${chosen.condition})`;
    const id = `v${declared.push(`$v${declared.length}: Boolean!`) - 1}`;
    given.push(`"${id}":${chosen.condition}`);
    return ` @${chosen.name}(if: $${id})`;
  }

  /** Response keys are unique within what GraphQL merges: an object's selections and the fragments among them. */
  function field(chosen: ChosenField, taken: Set<string>): string {
    const own = chosen.field?.name ?? "__typename";
    let key = chosen.alias ?? own;
    for (let n = 2; taken.has(key); n += 1) key = `${chosen.alias ?? own}_${n}`;
    taken.add(key);
    const args = Object.entries(chosen.args).map(([argument, value]) => {
      const type = chosen.field?.args.find((one) => one.name === argument)?.type;
      return `${argument}: ${literal(value, type)}`;
    });
    const below = chosen.selections === null ? "" : ` ${block(chosen.selections, new Set())}`;
    const text = `${key === own ? "" : `${key}: `}${own}${args.length === 0 ? "" : `(${args.join(", ")})`}${directive(chosen.directive)}${below}`;
    return chosen.isTwice ? `${text} ${text}` : text;
  }

  function selection(chosen: Chosen, taken: Set<string>): string {
    if (chosen.kind === "field") return field(chosen, taken);
    const shown = directive(chosen.directive);
    const below = block(chosen.selections, taken);
    if (!chosen.isNamed) return `... on ${chosen.on}${shown} ${below}`;
    const id = `F${fragments.push("")}`;
    fragments[Number(id.slice(1)) - 1] = `fragment ${id} on ${chosen.on} ${below}`;
    return `...${id}${shown}`;
  }

  function block(chosen: readonly Chosen[], taken: Set<string>): string {
    return `{ ${chosen.map((one) => selection(one, taken)).join(" ")} }`;
  }

  const body = block(selections, new Set());
  const head = `${kind}${name === null ? "" : ` ${name}`}${declared.length === 0 ? "" : `(${declared.join(", ")})`}`;
  return { query: [`${head} ${body}`, ...fragments].join("\n"), variables: `{${given.join(",")}}` };
}

/** A value with nothing left to variables. */
function plain(value: unknown): unknown {
  if (value instanceof InVariable) return plain(value.value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null || value instanceof Ref || value instanceof Spelled) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]));
}
