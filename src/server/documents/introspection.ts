/** The rule for servers that do not show their schema. What a type is called (`__typename`) belongs to every answer and stays. */
import { GraphQLError, NoSchemaIntrospectionCustomRule, type ValidationRule } from "graphql";

const message =
  "This server does not show its schema: read the one that is published with it (schema/schema.graphql). __typename is answered.";

/** GraphQL's own rule, with a code and words of ours. */
export const refuseIntrospection: ValidationRule = (context) => {
  const report = ({ nodes }: GraphQLError) =>
    context.reportError(
      new GraphQLError(message, { nodes: nodes ?? null, extensions: { code: "INTROSPECTION_DISABLED" } }),
    );
  // Everything but the report is the context's own.
  return NoSchemaIntrospectionCustomRule(Object.create(context, { reportError: { value: report } }) as typeof context);
};
