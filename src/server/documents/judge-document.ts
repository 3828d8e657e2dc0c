/** What is wrong with a document whatever its size: the same for one that a client sends and for one of the manifest. */
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  specifiedRules,
  type ValidationRule,
  validate,
} from "graphql";
import { refuseIntrospection } from "./introspection.ts";
import { conditionsAtRoot } from "./subscription-root.ts";

export interface JudgedBy {
  /** Whether the schema may be asked for. If not, no message gives away a name of it. */
  readonly introspection: boolean;
  readonly rules?: readonly ValidationRule[] | undefined;
}

export function judgeDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  { introspection, rules = specifiedRules }: JudgedBy,
): readonly GraphQLError[] {
  const faults = conditionsAtRoot(document);
  if (faults.length > 0) return faults;
  if (introspection) return validate(schema, document, rules);
  return validate(schema, document, [...rules, refuseIntrospection], { hideSuggestions: true });
}
