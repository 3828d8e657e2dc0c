/**
 * The tables of jobs, attempts and events with their constraints and indexes, for Drizzle and drizzle-kit. The rules that
 * these cannot say (triggers) are in drizzle/ as SQL; no query stands here.
 */
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  type PgTableExtraConfigValue,
  pgEnum,
  primaryKey,
  smallint,
  snakeCase,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { eventCauses, jobEventTypes } from "../domain/event.ts";
import type { Json } from "../domain/json.ts";
import { attemptStates, jobStates } from "../domain/lifecycle.ts";
import type { Failure } from "../domain/outcome.ts";
import { certifications, instant } from "./control-tables.ts";

export const jobState = pgEnum("job_state", jobStates);
export const attemptState = pgEnum("attempt_state", attemptStates);
export const jobEventType = pgEnum("job_event_type", jobEventTypes);
export const eventCause = pgEnum("event_cause", eventCauses);

export const jobs = snakeCase.table(
  "jobs",
  {
    id: uuid().primaryKey(),
    ownerId: text().notNull(),
    idempotencyKey: text().notNull(),
    givenDigest: text().notNull(),
    resolvedDigest: text().notNull(),
    digestVersion: smallint().notNull(),
    operation: text().notNull(),
    operationVersion: integer().notNull(),
    provider: text().notNull(),
    fallbackProviders: text().array().notNull(),
    input: jsonb().$type<Json>(),
    metadata: jsonb().$type<Json>(),
    priority: smallint().notNull().default(0),
    notBefore: instant(),
    traceparent: text(),
    state: jobState().notNull(),
    version: integer().notNull().default(1),
    eventCount: integer().notNull(),
    attemptCount: integer().notNull().default(1),
    latestAttempt: uuid().notNull(),
    completedBy: uuid(),
    result: jsonb().$type<Json>(),
    failure: jsonb().$type<Failure>(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    closedAt: instant(),
    purgedAt: instant(),
  },
  (job): PgTableExtraConfigValue[] => [
    unique("jobs_owner_key").on(job.ownerId, job.idempotencyKey),
    foreignKey({
      name: "jobs_latest_attempt",
      columns: [job.id, job.latestAttempt],
      foreignColumns: [attempts.jobId, attempts.id],
    }),
    foreignKey({
      name: "jobs_completed_by",
      columns: [job.id, job.completedBy],
      foreignColumns: [attempts.jobId, attempts.id],
    }),
    check("jobs_slot_taken_when_succeeded", sql`(${job.state} = 'SUCCEEDED') = (${job.completedBy} is not null)`),
    check("jobs_result_of_winner", sql`${job.result} is null or ${job.completedBy} is not null`),
    check(
      "jobs_closed_at_when_closed",
      sql`(${job.state} in ('SUCCEEDED', 'CANCELLED')) = (${job.closedAt} is not null)`,
    ),
    check("jobs_key_length", sql`char_length(${job.idempotencyKey}) between 1 and 255`),
    check("jobs_priority_range", sql`${job.priority} between -100 and 100`),
    check("jobs_counts", sql`${job.version} >= 1 and ${job.eventCount} >= 1 and ${job.attemptCount} >= 1`),
    index("jobs_by_owner").on(job.ownerId, job.createdAt, job.id),
    index("jobs_by_time").on(job.createdAt, job.id),
  ],
);

export const attempts = snakeCase.table(
  "attempts",
  {
    id: uuid().primaryKey(),
    jobId: uuid().notNull(),
    number: integer().notNull(),
    provider: text().notNull(),
    providerRevision: text().notNull(),
    /** These three are the job's own, copied so that a claim can choose without reading jobs. */
    ownerId: text().notNull(),
    operation: text().notNull(),
    priority: smallint().notNull().default(0),
    attemptTimeoutMs: integer().notNull(),
    leaseMs: integer().notNull(),
    state: attemptState().notNull(),
    /** Derived flags, so that indexes stay untouched by the changes of state that they do not care about. */
    live: boolean().notNull().generatedAlwaysAs(sql`state in ('QUEUED', 'STARTING', 'RUNNING', 'UNKNOWN')`),
    waiting: boolean().notNull().generatedAlwaysAs(sql`state = 'QUEUED'`),
    held: boolean().notNull().generatedAlwaysAs(sql`state in ('STARTING', 'RUNNING')`),
    stateChangedAt: instant().notNull(),
    jobVersion: integer().notNull(),
    certificationId: uuid().references(() => certifications.id),
    uncertifiedBy: text(),
    workerId: text(),
    claimedBy: text(),
    claimKey: text(),
    claimSlot: integer(),
    leaseToken: text(),
    leaseExpiresAt: instant(),
    deadlineAt: instant(),
    runAt: instant().notNull(),
    progress: jsonb().$type<{ fraction: number | null; message: string | null; updatedAt: string }>(),
    providerRequestId: text(),
    failure: jsonb().$type<Failure>(),
    effectUncertain: boolean().notNull().default(false),
    lookedUpAt: instant(),
    lateResultAt: instant(),
    createdAt: instant().notNull(),
    startedAt: instant(),
    finishedAt: instant(),
  },
  (attempt): PgTableExtraConfigValue[] => [
    foreignKey({ name: "attempts_job", columns: [attempt.jobId], foreignColumns: [jobs.id] }),
    unique("attempts_job_number").on(attempt.jobId, attempt.number),
    unique("attempts_job_version").on(attempt.jobId, attempt.jobVersion),
    unique("attempts_job_and_id").on(attempt.jobId, attempt.id),
    uniqueIndex("attempts_one_live").on(attempt.jobId).where(sql`live`),
    uniqueIndex("attempts_claim_slot")
      .on(attempt.claimedBy, attempt.claimKey, attempt.claimSlot)
      .where(sql`claim_key is not null`),
    index("attempts_waiting")
      .on(attempt.provider, attempt.ownerId, attempt.priority.desc(), attempt.runAt, attempt.operation, attempt.id)
      .where(sql`waiting`),
    index("attempts_due").on(attempt.provider, attempt.runAt, attempt.operation, attempt.ownerId).where(sql`waiting`),
    index("attempts_held").on(attempt.provider).where(sql`held`),
    check(
      "attempts_finished_when_over",
      sql`(${attempt.state} in ('SUCCEEDED', 'FAILED', 'CANCELLED')) = (${attempt.finishedAt} is not null)`,
    ),
    check(
      "attempts_lease_when_held",
      sql`${attempt.state} not in ('STARTING', 'RUNNING') or (${attempt.leaseToken} is not null and ${attempt.leaseExpiresAt} is not null and ${attempt.deadlineAt} is not null)`,
    ),
  ],
);

export const jobEvents = snakeCase.table(
  "job_events",
  {
    jobId: uuid().notNull(),
    number: integer().notNull(),
    type: jobEventType().notNull(),
    jobState: jobState().notNull(),
    attemptId: uuid(),
    attemptState: attemptState(),
    cause: eventCause().notNull(),
    actor: text(),
    detail: jsonb().$type<Json>(),
    /** Of a discarded result, so that the same one sent in a loop is recorded once. */
    resultDigest: text(),
    at: instant().notNull(),
  },
  (event) => [
    primaryKey({ columns: [event.jobId, event.number] }),
    uniqueIndex("job_events_one_discard").on(event.attemptId, event.resultDigest).where(sql`result_digest is not null`),
  ],
);
