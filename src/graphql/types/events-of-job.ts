/** The slice of a job's log that a query asks for. The live log is a subscription's. */
import type { JobEvent } from "../../domain/job.ts";
import type { RequestContext } from "../context.ts";
import { badUserInput } from "../errors.ts";
import { checkSize } from "../page-size.ts";

export const maxEvents = 500;

export interface EventsAsked {
  readonly after: number;
  readonly first: number;
  readonly last?: number | null | undefined;
}

/** An event number to go on from: 0 for the beginning. */
export function checkAfter(after: number): number {
  if (after >= 0) return after;
  throw badUserInput(`after is ${after}: give the number of the last event that you have, or 0 for all of them.`);
}

export async function eventsOfJob(
  jobId: string,
  { after, first, last }: EventsAsked,
  { loaders }: RequestContext,
): Promise<readonly JobEvent[]> {
  const newest = typeof last === "number";
  const limit = newest ? checkSize("last", last, maxEvents) : checkSize("first", first, maxEvents);
  checkAfter(after);
  return limit === 0 ? [] : loaders.events.load({ jobId, after, limit, newest });
}
