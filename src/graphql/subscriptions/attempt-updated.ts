/** The subscription attemptUpdated: each attempt of a job as it is, then at every change. The feed follows; this shows. */
import { builder } from "../builder.ts";
import { shareLoaders } from "../renew-loaders.ts";
import { AttemptRef } from "../types/refs.ts";
import { jobToFollow } from "./follow.ts";

builder.subscriptionField("attemptUpdated", (t) =>
  t.field({
    type: AttemptRef,
    description: "Each attempt of the job as it is now, then again at every change.",
    args: { jobId: t.arg.id({ required: true }) },
    subscribe: async (_root, { jobId }, context) => context.feed.followAttempts((await jobToFollow(jobId, context)).id),
    resolve: ({ attempt, snapshot }, _arguments, context) => {
      shareLoaders(context, snapshot);
      return attempt;
    },
  }),
);
