/** The subscription jobUpdated: one job as it is, then at every change. The feed follows; this shows. */
import { builder } from "../builder.ts";
import { shareLoaders } from "../renew-loaders.ts";
import { JobRef } from "../types/refs.ts";
import { jobToFollow } from "./follow.ts";

builder.subscriptionField("jobUpdated", (t) =>
  t.field({
    type: JobRef,
    description:
      "The job now, then again at every change of it or of its progress; ends after a final state. An id that is not the caller's to see is a GraphQL error with the code NOT_FOUND, here and in the fields below; an `after` beyond the newest event is CURSOR_AHEAD.",
    args: { id: t.arg.id({ required: true }) },
    subscribe: async (_root, { id }, context) => context.feed.followJob((await jobToFollow(id, context)).id),
    resolve: (snapshot, _arguments, context) => {
      shareLoaders(context, snapshot);
      return snapshot.job;
    },
  }),
);
