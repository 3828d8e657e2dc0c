/** The store's front door: every verb and every read that the layers above may ask for, as one interface. No statement stands here. */
import type { CertificationStatus, GateAnswer, GateQuestion } from "../domain/certification.ts";
import type { Attempt, Job, JobEvent } from "../domain/job.ts";
import type { Json } from "../domain/json.ts";
import type * as Ask from "./commands.ts";
import type * as Operate from "./operator-commands.ts";
import type * as List from "./pages.ts";
import type * as Work from "./worker-commands.ts";

/** Ids of jobs that a commit changed, maybe none. `queued` says that an attempt may be waiting now. Hints may be lost; the tables are the truth. */
export interface Hint {
  readonly jobIds: readonly string[];
  readonly queued: boolean;
  /** Nothing but the progress of these jobs has changed: there is no event, and no attempt has ended or waits. */
  readonly isProgress?: true;
}

export interface Certification {
  readonly id: string;
  readonly operation: string;
  readonly operationVersion: number;
  readonly contractDigest: string;
  readonly provider: string;
  readonly providerRevision: string;
  readonly status: CertificationStatus;
  readonly requestedBy: string;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly revokedBy: string | null;
  readonly revokedReason: string | null;
}

export interface CertificationCheck {
  readonly code: string;
  readonly caseName: string | null;
  readonly passed: boolean;
  readonly runs: number;
  readonly failures: number;
  readonly path: string | null;
  readonly required: string | null;
  readonly observed: string | null;
}

/** What never changes about a job, for choosing whom a change concerns; and every state that its log has seen, null if not asked for. */
export interface JobHead {
  readonly id: string;
  readonly ownerId: string;
  readonly idempotencyKey: string;
  readonly operation: string;
  readonly provider: string;
  readonly createdAt: Date;
  readonly states: readonly Job["state"][] | null;
}

export interface Standing {
  /** The number of the job's newest event. */
  readonly eventCount: number;
  /** When the progress of its newest attempt was written. */
  readonly progressAt: Date | null;
}

export interface ProviderSetting {
  readonly provider: string;
  readonly pausedAt: Date | null;
  readonly pauseReason: string | null;
}

/** An act of an operator. */
export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  /** The mutation's name. */
  readonly action: string;
  /** As the API shows it. */
  readonly targetId: string | null;
  readonly reason: string | null;
  readonly detail: Json;
}

export interface Reads {
  /** Rows by id, in any order; ids without a row, or outside the scope, are left out. */
  jobs(ids: readonly string[], scope: Ask.Scope): Promise<Job[]>;
  attempts(ids: readonly string[], scope: Ask.Scope): Promise<Attempt[]>;
  /** How far each job has come, by its id: what a poll compares, without reading inputs and results. */
  standings(ids: readonly string[]): Promise<ReadonlyMap<string, Standing>>;
  /**
   * The number of one job's newest event, for whoever starts to follow it; null where there is no such job in the scope.
   * Callers of the same moment share a statement, whatever their scopes.
   */
  newestEventNumber(jobId: string, scope: Ask.Scope): Promise<number | null>;
  jobHeads(ids: readonly string[], withStates: boolean): Promise<JobHead[]>;
  jobByKey(ownerId: string, idempotencyKey: string): Promise<Job | null>;
  /** Who holds each of an owner's keys, for answering a repeat before its input is judged; free keys are left out. */
  keyHolders(ownerId: string, idempotencyKeys: readonly string[]): Promise<ReadonlyMap<string, Ask.KeyHolder>>;
  jobPage(filter: List.JobFilter, page: List.PageRequest): Promise<List.Page<Job>>;
  /** Jobs that match and may still be withdrawn, FAILED ones among them, oldest first. */
  openJobIds(filter: List.JobFilter, limit: number): Promise<string[]>;
  /** Counted up to 10,000; null when there are more. */
  jobCount(filter: List.JobFilter): Promise<number | null>;
  /** Sorted by (stateChangedAt, id). */
  attemptPage(filter: List.AttemptFilter, page: List.PageRequest): Promise<List.Page<Attempt>>;
  attemptCount(filter: List.AttemptFilter): Promise<number | null>;
  /** All attempts of each job, by number. */
  attemptsOfJobs(jobIds: readonly string[]): Promise<Attempt[]>;
  /** Events after each job's number, in order, at most `limit` for each job; with `newest` the last ones, still in order. */
  events(after: readonly { jobId: string; number: number }[], limit: number, newest?: boolean): Promise<JobEvent[]>;
  gates(questions: readonly GateQuestion[]): Promise<GateAnswer[]>;
  certifications(ids: readonly string[]): Promise<Certification[]>;
  certificationChecks(
    certificationIds: readonly string[],
  ): Promise<(CertificationCheck & { certificationId: string })[]>;
  /** Sorted by (startedAt, id). */
  certificationPage(filter: List.CertificationFilter, page: List.PageRequest): Promise<List.Page<Certification>>;
  providerSettings(): Promise<ProviderSetting[]>;
  auditEntries(ids: readonly string[]): Promise<AuditEntry[]>;
  /** Sorted by (at, id); of one actor, or with null of all. */
  auditPage(actor: string | null, page: List.PageRequest): Promise<List.Page<AuditEntry>>;
  /** Proves that the database answers. */
  ping(): Promise<void>;
}

export interface Store {
  readonly read: Reads;
  /** To be asked before createJob where there is a limit; a place that is not used is not given back. */
  takeCreations(command: Ask.TakeCreations): Promise<Ask.TakeCreationsAnswer>;
  createJob(command: Ask.CreateJob): Promise<Ask.CreateJobAnswer>;
  retryJob(command: Ask.RetryJob): Promise<Ask.RetryJobAnswer>;
  cancelAttempt(command: Ask.CancelAttempt): Promise<Ask.CancelAttemptAnswer>;
  cancelJob(command: Ask.CancelJob): Promise<Ask.CancelJobAnswer>;
  claimAttempts(command: Work.ClaimAttempts): Promise<Work.Claim[]>;
  markRunning(command: Work.MarkRunning): Promise<Work.MarkRunningAnswer>;
  heartbeat(command: Work.Heartbeat): Promise<Work.HeartbeatAnswer>;
  completeAttempt(command: Work.CompleteAttempt): Promise<Work.CompleteAttemptAnswer>;
  failAttempt(command: Work.FailAttempt): Promise<Work.FailAttemptAnswer>;
  resolveAttempt(command: Operate.ResolveAttempt): Promise<Operate.ResolveAttemptAnswer>;
  pauseProvider(command: Operate.PauseProvider): Promise<Operate.PauseProviderAnswer>;
  resumeProvider(command: Operate.ResumeProvider): Promise<Operate.ResumeProviderAnswer>;
  markLookedUp(command: Operate.MarkLookedUp): Promise<Operate.MarkLookedUpAnswer>;
  releaseKey(command: Operate.ReleaseKey): Promise<Operate.ReleaseKeyAnswer>;
  /** Makes overdue attempts UNKNOWN, at most `limit`; call again while it answers that many. */
  expireAttempts(limit: number): Promise<Work.Expired[]>;
  /** Calls back after each commit of this process and on each notification of another; returns the way to stop. */
  onHint(listener: (hint: Hint) => void): () => void;
  /**
   * Calls back when hints of other processes may have been lost: once they are heard again, and every few seconds while nothing
   * proves that they are. Returns the way to stop.
   */
  onGap(listener: () => void): () => void;
  close(): Promise<void>;
}
