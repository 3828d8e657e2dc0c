/** Refuses documents that nest deeper than any honest one, before GraphQL's recursive parser runs out of stack. It parses nothing. */
import { GraphQLError, Lexer, Source, TokenKind } from "graphql";
import { invalidDocument } from "./refusals.ts";

/** Ten times what an input may nest, and far from the 2,000 or so at which the call stack ends. */
export const maxDocumentNesting = 640;

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Brackets in texts and comments do not count. What is no token is left to the parser, which says where. */
function nestsTooDeep(text: string): boolean {
  // Most documents have fewer brackets than that altogether.
  if ((text.match(/[{[(]/g)?.length ?? 0) <= maxDocumentNesting) return false;
  const lexer = new Lexer(new Source(text));
  let depth = 0;
  try {
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      if (opening.has(token.kind)) depth += 1;
      else if (closing.has(token.kind)) depth -= 1;
      if (depth > maxDocumentNesting) return true;
    }
  } catch {
    return false;
  }
  return false;
}

/** Throws a GraphQLError for such a text. */
export function refuseNesting(text: string): void {
  if (!nestsTooDeep(text)) return;
  const message = `The document nests more than ${maxDocumentNesting} deep: send such a value in a variable.`;
  throw new GraphQLError(message, { extensions: { code: "GRAPHQL_PARSE_FAILED", http: invalidDocument } });
}
