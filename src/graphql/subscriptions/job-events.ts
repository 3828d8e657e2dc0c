/** The subscription jobEvents: a job's log from a number on, then live. The feed follows; this shows. */
import type { GraphQLError } from "graphql";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { cursorAhead, refuseSubscription } from "../errors.ts";
import { shareLoaders } from "../renew-loaders.ts";
import { checkAfter } from "../types/events-of-job.ts";
import { JobEventRef } from "../types/refs.ts";
import { jobToFollow } from "./follow.ts";

async function followEvents(id: string, after: number, context: RequestContext) {
  const job = await jobToFollow(id, context);
  try {
    checkAfter(after);
  } catch (error) {
    throw refuseSubscription(error as GraphQLError);
  }
  if (after > job.newest) {
    const message = `The job's newest event has the number ${job.newest}, and you asked for those after ${after}: start over from 0.`;
    throw refuseSubscription(cursorAhead(message));
  }
  return context.feed.followEvents(job.id, after);
}

builder.subscriptionField("jobEvents", (t) =>
  t.field({
    type: JobEventRef,
    description:
      "Every event after the given number, from the log first and then live: a client that reconnects with the last number it saw misses none and sees none twice. Stays open after a final state, since a late result may still be thrown away. A client that resends its first `after` drops the repeats by number.",
    args: {
      jobId: t.arg.id({ required: true }),
      after: t.arg.int({ required: true, defaultValue: 0 }),
    },
    subscribe: (_root, { jobId, after }, context) => followEvents(jobId, after, context),
    resolve: ({ event, snapshot }, _arguments, context) => {
      shareLoaders(context, snapshot);
      return event;
    },
  }),
);
