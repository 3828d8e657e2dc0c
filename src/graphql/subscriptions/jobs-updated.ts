/** The subscription jobsUpdated: changes of all jobs that match a filter. The feed follows; this shows. */
import type { GraphQLError } from "graphql";
import { requireOwnerOrOperator } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { refuseSubscription, resync } from "../errors.ts";
import { shareLoaders } from "../renew-loaders.ts";
import { JobFilterInput, jobFilter } from "../types/filters.ts";
import { JobRef } from "../types/refs.ts";

/** Nothing is awaited: a query that the same connection sends behind the subscription must not be answered before it follows. */
function followJobs(given: Parameters<typeof jobFilter>[1], context: RequestContext) {
  try {
    requireOwnerOrOperator(context);
    return context.feed.followJobs(jobFilter(context.viewer, given));
  } catch (error) {
    throw refuseSubscription(error as GraphQLError);
  }
}

builder.subscriptionField("jobsUpdated", (t) =>
  t.field({
    type: JobRef,
    description:
      "Changes of the caller's own jobs; an operator may watch every owner's. A job that stops matching the filter is sent once more. Begins with the next change, and after a break in the feed ends with the code RESYNC: query jobs after each (re)connect.",
    args: { filter: t.arg({ type: JobFilterInput }) },
    subscribe: (_root, { filter }, context) => followJobs(filter, context),
    resolve: (delivery, _arguments, context) => {
      if (delivery.kind === "resync") throw resync();
      shareLoaders(context, delivery.snapshot);
      return delivery.snapshot.job;
    },
  }),
);
