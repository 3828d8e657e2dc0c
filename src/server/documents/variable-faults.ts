/**
 * What is wrong with an operation's variables, before anything looks at their values. The executor would say it as well, but
 * in each of fifty faults with the whole object that it is in, and with names of the schema.
 */
import { type GraphQLError, getVariableValues } from "graphql";
import { surelyExceeds } from "../../domain/json.ts";
import type { Operation } from "./operation-cost.ts";
import { shortened } from "./shorten-errors.ts";

/** As many as the executor gives. */
const maxFaults = 50;
/** Of larger variables the first fault is told alone: to quote them takes longer than to read them. */
const quotableBytes = 16_384;

/** Without `hideSuggestions` it is said what a misspelt name may have meant. */
export function faultsOfVariables(
  { schema, operation, variables }: Operation,
  hideSuggestions: boolean,
): readonly GraphQLError[] {
  const maxErrors = surelyExceeds(variables, quotableBytes) ? 1 : maxFaults;
  const options = { maxErrors, hideSuggestions };
  const { errors = [] } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, options);
  return errors.map(shortened);
}
