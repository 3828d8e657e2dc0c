/** What every subscription to a job does first: it makes sure that the job is the caller's to see. */
import type { GraphQLError } from "graphql";
import { decodeId } from "../../store/ids.ts";
import { mayName, requireOwnerOperatorOrJobToken, scopeOf } from "../authorise.ts";
import type { RequestContext } from "../context.ts";
import { notFound, refuseSubscription } from "../errors.ts";

export interface JobToFollow {
  readonly id: string;
  /** The number of its newest event. */
  readonly newest: number;
}

/** The job to follow; throws FORBIDDEN or NOT_FOUND in the form that suits the start of a stream. */
export async function jobToFollow(id: string, context: RequestContext): Promise<JobToFollow> {
  try {
    requireOwnerOperatorOrJobToken(context);
  } catch (error) {
    throw refuseSubscription(error as GraphQLError);
  }
  const { viewer, store } = context;
  const jobId = decodeId("job", id);
  if (jobId !== null && mayName(viewer, jobId)) {
    const newest = await store.read.newestEventNumber(jobId, scopeOf(viewer));
    if (newest !== null) return { id: jobId, newest };
  }
  throw refuseSubscription(notFound("There is no such job, or it is not yours to see: check the id and the token."));
}
