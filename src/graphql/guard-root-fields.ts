/** Puts the question of job tokens before every field at the top of the schema. What is open to them, authorise.ts says. */
import type { GraphQLError, GraphQLFieldResolver, GraphQLSchema } from "graphql";
import { requireOpenToJobToken } from "./authorise.ts";
import type { RequestContext } from "./context.ts";
import { refuseSubscription } from "./errors.ts";

type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

function guarded(name: string, resolve: Resolver): Resolver {
  return (root, given, context, info) => {
    requireOpenToJobToken(context, name);
    return resolve(root, given, context, info);
  };
}

function guardedStart(name: string, subscribe: Resolver): Resolver {
  return (root, given, context, info) => {
    try {
      requireOpenToJobToken(context, name);
    } catch (error) {
      throw refuseSubscription(error as GraphQLError);
    }
    return subscribe(root, given, context, info);
  };
}

/** The schema's own fields are changed: a field that is declared anywhere is guarded without a word of its own. */
export function guardRootFields(schema: GraphQLSchema): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
    for (const field of Object.values(root?.getFields() ?? {})) {
      const name = `${root?.name}.${field.name}`;
      if (field.subscribe !== undefined) field.subscribe = guardedStart(name, field.subscribe);
      else if (field.resolve !== undefined) field.resolve = guarded(name, field.resolve);
      else throw new Error(`${name} has no resolver to guard.`);
    }
  return schema;
}
