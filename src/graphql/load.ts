/** Rows that must be there because the store has just named them, and the few questions that several types ask of a job. */

import type { Attempt, Job } from "../domain/job.ts";
import { isLive } from "../domain/lifecycle.ts";
import type { RequestContext } from "./context.ts";

/** A row that the store has named and that is gone means a bug or an outage: it is thrown, and masked. */
function present<Row>(row: Row | null, what: string, id: string): Row {
  if (row === null) throw new Error(`The ${what} ${id} has vanished.`);
  return row;
}

export async function loadJob({ loaders }: RequestContext, id: string): Promise<Job> {
  return present(await loaders.job.load(id), "job", id);
}

export async function loadAttempt({ loaders }: RequestContext, id: string): Promise<Attempt> {
  return present(await loaders.attempt.load(id), "attempt", id);
}

/** A job's live attempt is always its newest: none starts while another is live (I3). */
export async function loadLiveAttempt(context: RequestContext, job: Job): Promise<Attempt | null> {
  const latest = await loadAttempt(context, job.latestAttempt);
  return isLive(latest.state) ? latest : null;
}
