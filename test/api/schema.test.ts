/** The schema as printed and as promised: two texts that must agree with the code. How it is used is in documents.test.ts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  printSchema,
} from "graphql";
import { describe, expect, it } from "vitest";
import { buildOnejobSchema } from "../../src/graphql/schema.ts";

const folder = join(import.meta.dirname, "../../schema");
const read = (name: string) => readFileSync(join(folder, name), "utf8");

const schema = buildOnejobSchema();
const contract = buildSchema(read("contract.graphql"));

type Descriptions = Record<string, string | null | undefined>;

function fieldsOf(
  type: GraphQLNamedType,
): readonly { readonly name: string; readonly description?: string | null | undefined }[] {
  const hasFields = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type);
  return hasFields ? Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields()) : [];
}

/** Every description of a type or a field, under `Type` or `Type.field`. */
function descriptionsOf(of: GraphQLSchema): Descriptions {
  const descriptions: Descriptions = {};
  for (const type of Object.values(of.getTypeMap())) {
    descriptions[type.name] = type.description;
    for (const field of fieldsOf(type)) descriptions[`${type.name}.${field.name}`] = field.description;
  }
  return descriptions;
}

describe("the schema", () => {
  it("is the one that is printed in schema/schema.graphql", () => {
    expect(`${printSchema(schema).trimEnd()}\n`).toBe(read("schema.graphql"));
  });

  it("contains all of the contract", () => {
    expect(findBreakingChanges(contract, schema)).toEqual([]);
    expect(findDangerousChanges(contract, schema)).toEqual([]);
  });

  it("documents itself in the contract's words", () => {
    const promised = Object.entries(descriptionsOf(contract)).filter(([, text]) => typeof text === "string");
    expect(descriptionsOf(schema)).toMatchObject(Object.fromEntries(promised));
  });

  it("says of every query, mutation and subscription what it is for", () => {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const fields = roots.flatMap((root) => Object.values(root?.getFields() ?? {}));
    expect(fields.filter((field) => !field.description).map((field) => field.name)).toEqual([]);
  });
});
