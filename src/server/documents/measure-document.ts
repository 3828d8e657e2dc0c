/** How deep a document's fields go and how many aliases it has, with all its fragments. It looks at each fragment once, however often it is spread. */
import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";

export interface Measures {
  /** Fields within fields. */
  readonly depth: number;
  /** Selections within selections: fields, fragments and fragments in fragments. */
  readonly nesting: number;
  /** Of a fragment's own, once for each place where it is spread. */
  readonly aliases: number;
}

const nothing: Measures = { depth: 0, nesting: 0, aliases: 0 };

/** Of each definition of the document the most: unused fragments are wrong, and rules go through them all the same. */
export function measureDocument({ definitions }: DocumentNode): Measures {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const known = new Map<string, Measures>();

  function ofFragment(name: string): Measures {
    const found = known.get(name);
    if (found !== undefined) return found;
    // A fragment within itself counts as nothing: validation refuses it.
    known.set(name, nothing);
    const measures = ofSelections(fragments.get(name)?.selectionSet);
    known.set(name, measures);
    return measures;
  }

  function ofSelections(selectionSet: SelectionSetNode | undefined): Measures {
    let [depth, nesting, aliases] = [0, 0, 0];
    for (const selection of selectionSet?.selections ?? []) {
      const isField = selection.kind === Kind.FIELD;
      const below =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? ofFragment(selection.name.value)
          : ofSelections(selection.selectionSet);
      depth = Math.max(depth, below.depth + (isField ? 1 : 0));
      nesting = Math.max(nesting, below.nesting + 1);
      aliases += below.aliases + (isField && selection.alias !== undefined ? 1 : 0);
    }
    return { depth, nesting, aliases };
  }

  const all = definitions.map((one) => {
    if (one.kind === Kind.FRAGMENT_DEFINITION) return ofFragment(one.name.value);
    return one.kind === Kind.OPERATION_DEFINITION ? ofSelections(one.selectionSet) : nothing;
  });
  const most = (measure: keyof Measures) => all.reduce((value, one) => Math.max(value, one[measure]), 0);
  return { depth: most("depth"), nesting: most("nesting"), aliases: most("aliases") };
}
