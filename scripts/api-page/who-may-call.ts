/**
 * Who may call a field: found by asking its own resolver, once as each role, with the example's arguments. A role that it
 * does not know is refused before anything else is looked at, so the rest of the context is not needed. It starts no server.
 */
import {
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  Kind,
} from "graphql";
import type { Json } from "../../src/domain/json.ts";
import type { RequestContext, Role, Viewer } from "../../src/graphql/context.ts";
import type { ExampleDocument } from "./documents.ts";

export type Variables = { readonly [name: string]: Json };
export type Callers = readonly Role[] | "not available yet";

const roles: readonly Role[] = ["OWNER", "WORKER", "OPERATOR"];

/** Whatever is named of it is there; to call any of it is to have been let in, and ends the attempt. */
function beyond(): object {
  return new Proxy(() => undefined, {
    get: beyond,
    apply() {
      throw new Error("The resolver let the caller in.");
    },
  });
}

/** The caller, and nothing else. */
function contextOf(role: Role): RequestContext {
  const viewer: Viewer = {
    ownerId: "example",
    roles: new Set([role]),
    providers: null,
    expiresAt: null,
    onlyJob: null,
  };
  return new Proxy({ viewer } as RequestContext, {
    get: (target, name) => (name === "viewer" ? target.viewer : beyond()),
  });
}

function argumentsOf(
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown>,
  { node }: ExampleDocument,
  variables: Variables,
): Record<string, unknown> {
  const { coerced, errors } = getVariableValues(schema, node.variableDefinitions ?? [], variables);
  if (errors !== undefined) throw new AggregateError(errors, `The example variables of ${field.name} do not fit.`);
  const [selection] = node.selectionSet.selections;
  if (selection?.kind !== Kind.FIELD) throw new Error(`The example of ${field.name} does not ask for it.`);
  return getArgumentValues(field, selection, coerced);
}

/** The code of the error with which the role is met, if it is met with one of ours. */
async function codeFor(role: Role, field: GraphQLField<unknown, unknown>, given: Record<string, unknown>) {
  const ask = (field.subscribe ?? field.resolve) as unknown as (...all: readonly unknown[]) => unknown;
  try {
    await ask(undefined, given, contextOf(role), undefined);
    return null;
  } catch (error) {
    return error instanceof GraphQLError ? error.extensions["code"] : null;
  }
}

export async function whoMayCall(
  schema: GraphQLSchema,
  root: GraphQLObjectType,
  name: string,
  example: ExampleDocument,
  variables: Variables,
): Promise<Callers> {
  const field = root.getFields()[name] as GraphQLField<unknown, unknown>;
  const given = argumentsOf(schema, field, example, variables);
  const codes = await Promise.all(roles.map((role) => codeFor(role, field, given)));
  if (codes.every((code) => code === "NOT_AVAILABLE_YET")) return "not available yet";
  return roles.filter((_role, index) => codes[index] !== "FORBIDDEN");
}
