/** Reads what the logs of many jobs have behind a number of each, a page of it at most. It remembers nothing. */
import type { JobEvent } from "../domain/job.ts";
import type { Reads } from "../store/store.ts";
import { eventPage } from "./follower.ts";

/** Of all jobs together, so that followers who are far behind in many of them fill no memory. */
const eventsAtOnce = 16 * eventPage;

/** By job, in order. Of each no more than a page, and of many jobs less: whoever wants more asks again. */
export async function readEvents(
  read: Reads,
  after: readonly { readonly jobId: string; readonly number: number }[],
): Promise<ReadonlyMap<string, readonly JobEvent[]>> {
  const byJob = new Map<string, JobEvent[]>();
  if (after.length === 0) return byJob;
  const limit = Math.min(eventPage, Math.ceil(eventsAtOnce / after.length));
  for (const event of await read.events(after, limit)) {
    const events = byJob.get(event.jobId);
    if (events === undefined) byJob.set(event.jobId, [event]);
    else events.push(event);
  }
  return byJob;
}
