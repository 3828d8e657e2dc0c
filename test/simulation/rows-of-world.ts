/** The rows that a database would hold if it agreed with the model: for tests of the judgement alone. Ids that are still open are made up. */
import type { ModelEvent, ModelJob, World } from "./model/world.ts";
import type { EventRow, JobRow, Rows } from "./read-rows.ts";

function rowOf(job: ModelJob): JobRow {
  const { intent: _intent, latest, completedBy, attempts, events, discards: _discards, ...plain } = job;
  const jobId = job.id ?? "j";
  const idOf = (number: number | null): string | null =>
    number === null ? null : (attempts[number - 1]?.id ?? `${jobId}.${number}`);
  const eventRow = ([type, jobState, number, attemptState, cause, actor, at]: ModelEvent, index: number): EventRow => {
    const isDiscard = type === "RESULT_DISCARDED";
    const told = { digest: isDiscard ? `digest ${index}` : null, told: isDiscard ? "bytes+digest" : null };
    return {
      jobId,
      number: index + 1,
      type,
      jobState,
      attemptId: idOf(number),
      attemptState,
      cause,
      actor,
      ...told,
      at,
    };
  };
  return {
    ...plain,
    id: jobId,
    givenDigest: "given",
    resolvedDigest: "resolved",
    latestAttempt: idOf(latest) ?? "",
    completedBy: idOf(completedBy),
    eventCount: events.length,
    attemptCount: attempts.length,
    attempts: attempts.map((one) => ({ ...one, id: idOf(one.number) ?? "", jobId })),
    events: events.map(eventRow),
  };
}

export function rowsOf(world: World): Rows {
  return {
    jobs: [...world.jobs.values()].map(rowOf),
    strays: { attempts: 0, events: 0 },
    paused: [...world.paused].toSorted(),
    acts: world.acts.toSorted(),
  };
}
