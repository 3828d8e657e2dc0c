/** What the caller could do right now, as the API shows it beside a button. The verbs decide for themselves: this may be old. */
import type { Attempt, Job } from "../../domain/job.ts";
import { isClosed, isLive } from "../../domain/lifecycle.ts";
import { termsFor } from "../../domain/terms.ts";
import { isOperator, mayCancel, mayRetry } from "../authorise.ts";
import type { RequestContext } from "../context.ts";
import { loadAttempt, loadJob } from "../load.ts";

/** The same provider needs no certification if it is the job's own; another one does, as in retryJob (I9). */
export async function viewerCanRetry(job: Job, context: RequestContext): Promise<boolean> {
  if (job.state !== "FAILED" || job.purgedAt !== null || !mayRetry(context.viewer, job)) return false;
  const { provider } = await loadAttempt(context, job.latestAttempt);
  if (termsFor(context.catalog, job.operation, provider) === null) return false;
  if (provider === job.provider) return true;
  return (await context.loaders.gate.load({ operation: job.operation, provider }))?.open === true;
}

export function viewerCanCancelJob(job: Job, { viewer }: RequestContext): boolean {
  return !isClosed(job.state) && mayCancel(viewer, job);
}

export async function viewerCanCancelAttempt(attempt: Attempt, context: RequestContext): Promise<boolean> {
  if (!isLive(attempt.state)) return false;
  if (isOperator(context.viewer)) return true;
  const job = await loadJob(context, attempt.jobId);
  if (!mayCancel(context.viewer, job)) return false;
  return attempt.state === "QUEUED" || context.catalog.operations.get(job.operation)?.cancelAttempt === "owner";
}
