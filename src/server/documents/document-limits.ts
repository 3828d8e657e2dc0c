/**
 * Refuses documents that are too long, too deep or have too many aliases, and asks after the schema where that is off, before
 * they are validated: validation takes time with the square of what it is given. Persisted documents were judged at start.
 */
import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, type Source, type ValidationRule } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { Limits } from "../config/read-limits.ts";
import { maxDocumentNesting, refuseNesting } from "./document-nesting.ts";
import { judgeDocument } from "./judge-document.ts";
import { measureDocument } from "./measure-document.ts";
import type { PersistedDocuments } from "./persisted-documents.ts";
import { documentTooLong, tooDeep, tooManyAliases } from "./refusals.ts";
import { shortened } from "./shorten-errors.ts";

export interface DocumentLimits {
  readonly limits: Limits;
  readonly introspection: boolean;
  readonly persisted: PersistedDocuments;
}

/** GraphQL's parser has no other way of telling. */
const tooLongForParser = /^Syntax Error: Document contains more tha[nt] \d+ tokens/;

function parseWithin(source: string | Source, maxLexicalTokens: number): DocumentNode {
  try {
    return parse(source, { maxLexicalTokens });
  } catch (error) {
    if (error instanceof GraphQLError && tooLongForParser.test(error.message)) throw documentTooLong(maxLexicalTokens);
    throw error;
  }
}

function faultsOfSize(document: DocumentNode, limits: Limits): GraphQLError[] {
  const { depth, nesting, aliases } = measureDocument(document);
  if (depth > limits.depth) return [tooDeep(depth, limits.depth)];
  // Fragments within fragments, which the text does not show.
  if (nesting > maxDocumentNesting) return [tooDeep(nesting, maxDocumentNesting)];
  return aliases > limits.aliases ? [tooManyAliases(aliases, limits.aliases)] : [];
}

export function useDocumentLimits({ limits, introspection, persisted }: DocumentLimits): Plugin {
  return {
    onParse({ params, setParseFn, setParsedDocument }) {
      const source = params.source as string | Source;
      const text = typeof source === "string" ? source : source.body;
      const document = persisted.parsed(text);
      if (document !== undefined) return setParsedDocument(document);
      refuseNesting(text);
      setParseFn((one: string | Source) => parseWithin(one, limits.documentTokens));
    },
    onValidate({ params, setResult, setValidationFn }) {
      const document = params.documentAST as DocumentNode;
      if (persisted.has(document)) return setResult([]);
      const faults = faultsOfSize(document, limits);
      if (faults.length > 0) return setResult(faults);
      setValidationFn((schema: GraphQLSchema, one: DocumentNode, rules?: readonly ValidationRule[]) =>
        judgeDocument(schema, one, { introspection, rules }).map(shortened),
      );
    },
  };
}
