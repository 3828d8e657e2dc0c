/** The documents of schema/operations as the page shows them: each operation, and once each fragment. It validates none. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DefinitionNode, Kind, type OperationDefinitionNode, parse } from "graphql";

export interface ExampleDocument {
  /** The file's name without its ending. */
  readonly name: string;
  readonly node: OperationDefinitionNode;
  /** The operation alone, letter by letter. */
  readonly operation: string;
  readonly fragments: readonly string[];
}

export interface ExampleDocuments {
  /** By what they ask for: the kind of operation, a space and the field. */
  readonly byField: ReadonlyMap<string, ExampleDocument>;
  readonly fragments: ReadonlyMap<string, string>;
}

function textOf(source: string, { loc }: DefinitionNode): string {
  return source.slice(loc?.start, loc?.end);
}

export function readDocuments(folder: string): ExampleDocuments {
  const byField = new Map<string, ExampleDocument>();
  const fragments = new Map<string, string>();
  for (const file of readdirSync(folder).toSorted()) {
    const source = readFileSync(join(folder, file), "utf8");
    const own: string[] = [];
    for (const definition of parse(source).definitions) {
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
      const { value } = definition.name;
      const text = textOf(source, definition);
      // Shown once, it must be the same everywhere.
      if ((fragments.get(value) ?? text) !== text)
        throw new Error(`${file} has another fragment ${value} than the files before it.`);
      fragments.set(value, text);
      own.push(value);
    }
    for (const node of parse(source).definitions) {
      if (node.kind !== Kind.OPERATION_DEFINITION) continue;
      const [field] = node.selectionSet.selections;
      if (field?.kind !== Kind.FIELD) throw new Error(`${file} does not ask for a field at its top.`);
      const document = { name: file.replace(/\.graphql$/, ""), node, operation: textOf(source, node), fragments: own };
      byField.set(`${node.operation} ${field.name.value}`, document);
    }
  }
  return { byField, fragments };
}
