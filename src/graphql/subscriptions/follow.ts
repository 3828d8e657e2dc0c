/** What every subscription to a job does first: it makes sure that the job is the caller's to see. */
import type { GraphQLError } from "graphql";
import type { Job } from "../../domain/job.ts";
import { decodeId } from "../../store/ids.ts";
import { requireOwnerOperatorOrJobToken } from "../authorise.ts";
import type { RequestContext } from "../context.ts";
import { notFound, refuseSubscription } from "../errors.ts";

/** The job to follow; throws FORBIDDEN or NOT_FOUND in the form that suits the start of a stream. */
export async function jobToFollow(id: string, context: RequestContext): Promise<Job> {
  try {
    requireOwnerOperatorOrJobToken(context);
  } catch (error) {
    throw refuseSubscription(error as GraphQLError);
  }
  const jobId = decodeId("job", id);
  const job = jobId === null ? null : await context.loaders.visibleJob.load(jobId);
  if (job !== null) return job;
  throw refuseSubscription(notFound("There is no such job, or it is not yours to see: check the id and the token."));
}
