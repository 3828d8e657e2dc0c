/** The documents of schema/operations: one for each field of the API, and each valid. That they are answered is in document-examples.test.ts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  validate,
} from "graphql";
import { describe, expect, it } from "vitest";
import { buildOnejobSchema } from "../../src/graphql/schema.ts";

const folder = join(import.meta.dirname, "../../schema/operations");
const schema = buildOnejobSchema();

const documents: readonly { readonly name: string; readonly document: DocumentNode }[] = readdirSync(folder).map(
  (file) => ({ name: file.replace(".graphql", ""), document: parse(readFileSync(join(folder, file), "utf8")) }),
);

function operationsOf({ definitions }: DocumentNode): OperationDefinitionNode[] {
  return definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}

function fragmentsOf({ definitions }: DocumentNode): FragmentDefinitionNode[] {
  return definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
}

/** `Mutation.createJob`, for each field that the document asks for at its top. */
function fieldsAskedFor(document: DocumentNode): string[] {
  return operationsOf(document).flatMap(({ operation, selectionSet: { selections } }) =>
    selections.map((selection) =>
      selection.kind === Kind.FIELD ? `${schema.getRootType(operation)?.name}.${selection.name.value}` : "a fragment",
    ),
  );
}

const kebab = (name: string) => name.replaceAll(/(?<!^)([A-Z])/g, "-$1").toLowerCase();

describe("a document of schema/operations", () => {
  it.each(documents)("$name is valid and stands alone", ({ document }) => {
    expect(validate(schema, document)).toEqual([]);
  });

  it.each(documents)(
    "$name is named after its operation, and that after the one field it asks for",
    ({ name, document }) => {
      expect(operationsOf(document).map((operation) => kebab(operation.name?.value ?? ""))).toEqual([name]);
      expect(fieldsAskedFor(document).map((field) => kebab(field.replace(/^.*\./, "")))).toEqual([name]);
    },
  );
});

describe("the documents of schema/operations", () => {
  it("are one for each query, mutation and subscription of the schema, and no more", () => {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const fields = roots.flatMap((root) =>
      Object.keys(root?.getFields() ?? {}).map((field) => `${root?.name}.${field}`),
    );
    expect(documents.flatMap(({ document }) => fieldsAskedFor(document)).toSorted()).toEqual(fields.toSorted());
  });

  it("mean the same by a fragment's name", () => {
    const texts = new Map<string, Set<string>>();
    for (const fragment of documents.flatMap(({ document }) => fragmentsOf(document))) {
      const { value } = fragment.name;
      texts.set(value, (texts.get(value) ?? new Set()).add(print(fragment)));
    }
    expect([...texts].filter(([, different]) => different.size > 1).map(([name]) => name)).toEqual([]);
  });
});
