/** In which role a caller acts on a job, for the job's events. It allows and refuses nothing. */
import type { Actor } from "../../domain/event.ts";
import { isOperator } from "../authorise.ts";
import type { RequestContext } from "../context.ts";

/** An operator acts as OWNER on own jobs, if they have that role as well; on all others as OPERATOR. */
export async function actingOnJob(context: RequestContext, jobId: string): Promise<Actor> {
  const { viewer, loaders } = context;
  const owner: Actor = { cause: "OWNER", name: viewer.ownerId, byJobToken: viewer.onlyJob !== null };
  if (!isOperator(viewer)) return owner;
  const isOwn = viewer.roles.has("OWNER") && (await loaders.job.load(jobId))?.ownerId === viewer.ownerId;
  return isOwn ? owner : { cause: "OPERATOR", name: viewer.ownerId };
}

export async function actingOnAttempt(context: RequestContext, attemptId: string): Promise<Actor> {
  // An attempt that does not exist is answered by the verb; whom the event would have named does not matter then.
  const attempt = await context.loaders.attempt.load(attemptId);
  return actingOnJob(context, attempt?.jobId ?? attemptId);
}
