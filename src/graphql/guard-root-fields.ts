/**
 * Puts the question of job tokens before every field at the top of the schema. What is open to them, authorise.ts says. And
 * sees to it that what a subscription shows does not hang on how it was asked for, so that it may be shared.
 */
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

/** The arguments of a subscription choose what is followed. Whoever shows a delivery is given it alone. */
function withoutArguments(show: Resolver): Resolver {
  return (delivery, _given, context, info) => show(delivery, {}, context, info);
}

/** The schema's own fields are changed: a field that is declared anywhere is guarded without a word of its own. */
export function guardRootFields(schema: GraphQLSchema): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
    for (const field of Object.values(root?.getFields() ?? {})) {
      const name = `${root?.name}.${field.name}`;
      const { subscribe, resolve } = field;
      if (resolve === undefined) throw new Error(`${name} has no resolver to guard.`);
      field.resolve = subscribe === undefined ? guarded(name, resolve) : withoutArguments(resolve);
      if (subscribe !== undefined) field.subscribe = guardedStart(name, subscribe);
    }
  return schema;
}
