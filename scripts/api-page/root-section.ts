/** The section of one query, mutation or subscription: what it is for, who may call it, what it takes, what it answers, an example. */
import { type GraphQLObjectType, getNamedType, isUnionType } from "graphql";
import type { ExampleDocument } from "./documents.ts";
import { argumentTable, described, fieldTable } from "./field-tables.ts";
import { blocks, code, fence, heading, link, oneOf, prose, table } from "./markdown.ts";
import { fieldId, fragmentId, typeId, typeLink } from "./names.ts";
import { inputOf, isRefusal, type RootField, successesOf, typesOfField } from "./placement.ts";
import type { Callers, Variables } from "./who-may-call.ts";

export interface Told {
  readonly root: GraphQLObjectType;
  readonly field: RootField;
  readonly callers: Callers;
  readonly example: ExampleDocument;
  readonly variables: Variables;
  /** The code with which a refusal answers. */
  readonly codeOf: (refusal: string) => string;
}

const allRoles = 3;

function callersLine(callers: Callers): string {
  if (callers === "not available yet")
    return `**Not available yet:** this version answers ${link(code("NOT_AVAILABLE_YET"), "#error-codes")}.`;
  const who = callers.length === allRoles ? "every caller" : oneOf(callers.map(code));
  return `**Who may call:** ${who}.`;
}

function refusalTable(members: readonly GraphQLObjectType[], codeOf: Told["codeOf"]): string {
  const rows = members.map((refusal) => {
    const more = Object.keys(refusal.getFields()).filter((name) => name !== "code" && name !== "message");
    return [typeLink(refusal), code(codeOf(refusal.name)), more.map(code).join(", "), prose(refusal.description ?? "")];
  });
  return table(["refusal", "code", "names", "meaning"], rows);
}

function answer({ root, field, codeOf }: Told): string {
  const named = getNamedType(field.type);
  if (!isUnionType(named)) {
    const what = root.name === "Subscription" ? "Each message" : "Answer";
    return `**${what}:** ${typeLink(field.type)}`;
  }
  const refusals = named.getTypes().filter(isRefusal);
  const successes = successesOf(field).flatMap((success) => [
    `**Answer:** the union ${code(String(field.type))}. A success is ${code(success.name)}${success.description ? `. ${prose(success.description)}` : ":"}`,
    fieldTable(success),
  ]);
  return blocks(
    successes,
    "A refusal is one of these, with `code`, `message` and what else it names:",
    refusalTable(refusals, codeOf),
  );
}

function exampleOf({ example, variables }: Told): string {
  const fragments = example.fragments.map((name) => link(name, `#${fragmentId(name)}`));
  const file = link(`${example.name}.graphql`, `../schema/operations/${example.name}.graphql`);
  const shared =
    fragments.length === 0
      ? ""
      : `, whose ${fragments.length === 1 ? "fragment" : "fragments"} ${oneOf(fragments, "and")} ${fragments.length === 1 ? "is" : "are"} below`;
  return blocks(
    `**Example:** ${file}${shared}.`,
    fence("graphql", example.operation),
    Object.keys(variables).length === 0 ? "" : blocks("Variables:", fence("json", JSON.stringify(variables, null, 2))),
  );
}

export function rootSection(told: Told): string {
  const { root, field, callers } = told;
  return blocks(
    // What belongs to the field is linked to here.
    heading(3, field.name, fieldId(root, field), ...typesOfField(field).map(typeId)),
    described(field),
    callersLine(callers),
    argumentTable(field.args, inputOf(field)),
    answer(told),
    exampleOf(told),
  );
}
