/** The idempotency key of a createJob: from its input, or from the request's header where that is unambiguous. It looks no key up. */
import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import type { InputIssue } from "../../domain/refusal.ts";

const path = "/idempotencyKey";

export type KeyRead = { readonly key: string | null } | { readonly issue: InputIssue };

/** sf-string of RFC 9651: printable ASCII in quotes, with \" and \\ for a quote and a backslash; parameters say nothing here. */
const quotedHeader = /^"((?:[\x20\x21\x23-\x5B\x5D-\x7E]|\\["\\])*)"(?:[ ]*;[!-~ ]*)?$/;

/** The key that a header carries: quoted as the IETF draft has it, or plain. */
export function parseKeyHeader(header: string): KeyRead {
  const text = header.trim();
  if (!text.startsWith('"')) {
    if (/^[\x20-\x7E]*$/.test(text)) return { key: text };
    return {
      issue: {
        path,
        message: "The Idempotency-Key header holds more than printable ASCII: give such a key in the input.",
      },
    };
  }
  const inner = quotedHeader.exec(text)?.[1];
  if (inner !== undefined) return { key: inner.replaceAll(/\\(["\\])/g, "$1") };
  return {
    issue: {
      path,
      message: 'The Idempotency-Key header is not one quoted string: write "…", with \\" and \\\\ inside for " and \\.',
    },
  };
}

/** A proxy or a client library has added a second one: which of them is the intent's, nobody can tell. */
function readHeaders([first = "", ...others]: readonly string[]): KeyRead {
  if (others.length === 0) return parseKeyHeader(first);
  const message = `There are ${others.length + 1} Idempotency-Key headers: send one, or give the key in the input.`;
  return { issue: { path, message } };
}

/**
 * The header stands for the input's key when exactly one createJob field of the executed operation has none; given in
 * both places the two must be equal.
 */
export function readIdempotencyKey(
  given: string | null | undefined,
  headers: readonly string[],
  info: GraphQLResolveInfo,
): KeyRead {
  if (headers.length === 0) return { key: given ?? null };
  const read = readHeaders(headers);
  const keyless = countKeylessCreates(info);
  if (given === null || given === undefined) {
    if (keyless === 1) return read;
    const message = `The Idempotency-Key header can stand for one createJob, and ${keyless} have no key: give each its own.`;
    return { issue: { path, message } };
  }
  // The header belongs to the one createJob that has no key.
  if (keyless === 1) return { key: given };
  if ("issue" in read || read.key === given) return "issue" in read ? read : { key: given };
  return {
    issue: {
      path,
      message: "The Idempotency-Key header and the input's idempotencyKey differ: give one, or the same twice.",
    },
  };
}

function countKeylessCreates(info: GraphQLResolveInfo): number {
  const field = info.parentType.getFields()["createJob"];
  if (field === undefined) return 0;
  const keys = [...createFields(info.operation.selectionSet, info).values()].map((node) => {
    const { input } = getArgumentValues(field, node, info.variableValues) as {
      input: { idempotencyKey?: string | null };
    };
    return input.idempotencyKey ?? null;
  });
  return keys.filter((key) => key === null).length;
}

/** The createJob fields that will be executed, by response key: one that several fragments repeat is executed once. */
function createFields(
  { selections }: SelectionSetNode,
  info: GraphQLResolveInfo,
  found = new Map<string, FieldNode>(),
  spread = new Set<string>(),
): Map<string, FieldNode> {
  for (const selection of selections) {
    if (isLeftOut(selection, info)) continue;
    if (selection.kind === Kind.FIELD) {
      if (selection.name.value === "createJob") found.set(selection.alias?.value ?? selection.name.value, selection);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      createFields(selection.selectionSet, info, found, spread);
    } else if (!spread.has(selection.name.value)) {
      spread.add(selection.name.value);
      const fragment = info.fragments[selection.name.value];
      if (fragment !== undefined) createFields(fragment.selectionSet, info, found, spread);
    }
  }
  return found;
}

function isLeftOut(selection: SelectionNode, { variableValues }: GraphQLResolveInfo): boolean {
  const skip = getDirectiveValues(GraphQLSkipDirective, selection, variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, selection, variableValues);
  return skip?.["if"] === true || include?.["if"] === false;
}
