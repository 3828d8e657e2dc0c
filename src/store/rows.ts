/** Turns rows of the tables into the domain's jobs, attempts and events. It reads no database. */
import type { Attempt, Job, JobEvent } from "../domain/job.ts";
import type { attempts, jobEvents, jobs } from "./tables.ts";

export type JobRow = typeof jobs.$inferSelect;
export type AttemptRow = Omit<typeof attempts.$inferSelect, "live" | "waiting" | "held">;
export type EventRow = typeof jobEvents.$inferSelect;

export function toJob(row: JobRow): Job {
  const { digestVersion: _digestVersion, notBefore: _notBefore, ...job } = row;
  return job;
}

export function toAttempt(row: AttemptRow): Attempt {
  const { progress } = row;
  return {
    id: row.id,
    jobId: row.jobId,
    number: row.number,
    provider: row.provider,
    providerRevision: row.providerRevision,
    state: row.state,
    stateChangedAt: row.stateChangedAt,
    jobVersion: row.jobVersion,
    certificationId: row.certificationId,
    uncertifiedBy: row.uncertifiedBy,
    workerId: row.workerId,
    claimedBy: row.claimedBy,
    leaseToken: row.leaseToken,
    leaseExpiresAt: row.leaseExpiresAt,
    deadlineAt: row.deadlineAt,
    runAt: row.runAt,
    progress: progress === null ? null : { ...progress, updatedAt: new Date(progress.updatedAt) },
    providerRequestId: row.providerRequestId,
    failure: row.failure,
    effectUncertain: row.effectUncertain,
    lookedUpAt: row.lookedUpAt,
    lateResultAt: row.lateResultAt,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
  };
}

export function toEvent(row: EventRow): JobEvent {
  const { resultDigest: _resultDigest, ...event } = row;
  return event;
}
