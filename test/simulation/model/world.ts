/** What the model knows: jobs, attempts and events as plain objects, written from the design alone. It shares no code with the store. */
import type { Intent, Json } from "../commands.ts";

export type AttemptState = "QUEUED" | "STARTING" | "RUNNING" | "UNKNOWN" | "SUCCEEDED" | "FAILED" | "CANCELLED";
export type JobState = Exclude<AttemptState, "STARTING">;

export interface ModelAttempt {
  /** Null until it has been seen in the database, which chooses it. */
  id: string | null;
  number: number;
  provider: string;
  revision: string;
  state: AttemptState;
  stateChangedAt: number;
  /** The job's version when the attempt was made. */
  fence: number;
  certificationId: string | null;
  uncertifiedBy: string | null;
  workerId: string | null;
  claimedBy: string | null;
  claimKey: string | null;
  token: string | null;
  leaseExpiresAt: number | null;
  deadlineAt: number | null;
  runAt: number;
  progress: number | null;
  requestId: string | null;
  /** Code and remedy; words are not the model's business. */
  failure: string | null;
  uncertain: boolean;
  lookedUpAt: number | null;
  lateResultAt: number | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
}

/** Type, job's state, attempt's number and state, cause, actor, instant. */
export type ModelEvent = readonly [string, JobState, number | null, AttemptState | null, string, string | null, number];

export interface ModelJob {
  id: string | null;
  owner: string;
  key: string;
  intent: Intent;
  operation: string;
  provider: string;
  fallbacks: readonly string[];
  input: Json;
  priority: number;
  state: JobState;
  version: number;
  latest: number;
  completedBy: number | null;
  result: Json;
  failure: string | null;
  createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  purgedAt: number | null;
  attempts: ModelAttempt[];
  events: ModelEvent[];
  /** Attempt's number and result of every discard told. */
  discards: readonly string[];
}

export interface ModelCertification {
  id: string;
  operation: string;
  provider: string;
  revision: string;
  status: "RUNNING" | "PASSED" | "FAILED" | "INCONCLUSIVE" | "REVOKED";
  startedAt: number;
  expiresAt: number | null;
}

/** Never changed in place: `fork` and `change` copy what a command is about to change. */
export interface World {
  readonly now: number;
  /** By owner and key, in the order of creation. */
  readonly jobs: ReadonlyMap<string, ModelJob>;
  readonly certifications: readonly ModelCertification[];
  readonly paused: ReadonlySet<string>;
  /** Each provider's revision, as configured. */
  readonly revisions: Readonly<Record<string, string>>;
  /** Action and actor of every act in the audit log, in any order. */
  readonly acts: readonly string[];
}

/** A world on its way to the next one. */
export interface Draft {
  now: number;
  jobs: Map<string, ModelJob>;
  certifications: readonly ModelCertification[];
  paused: Set<string>;
  revisions: Readonly<Record<string, string>>;
  acts: readonly string[];
}

export function fork(world: World): Draft {
  return { ...world, jobs: new Map(world.jobs), paused: new Set(world.paused) };
}

export const placeOf = (owner: string, key: string): string => `${owner}/${key}`;

/** The job as this draft's own, to be changed. */
export function change(draft: Draft, job: ModelJob): ModelJob {
  const copy = { ...job, attempts: job.attempts.map((attempt) => ({ ...attempt })), events: [...job.events] };
  draft.jobs.set(placeOf(job.owner, job.key), copy);
  return copy;
}

export function jobById(world: Pick<World, "jobs">, id: string): ModelJob | null {
  for (const job of world.jobs.values()) if (job.id === id) return job;
  return null;
}

export interface Found {
  readonly job: ModelJob;
  readonly attempt: ModelAttempt;
}

export function attemptById(world: Pick<World, "jobs">, id: string): Found | null {
  for (const job of world.jobs.values()) {
    const attempt = job.attempts.find((one) => one.id === id);
    if (attempt !== undefined) return { job, attempt };
  }
  return null;
}

export const isLive = (state: AttemptState): boolean => ["QUEUED", "STARTING", "RUNNING", "UNKNOWN"].includes(state);
export const isHeld = (state: AttemptState): boolean => state === "STARTING" || state === "RUNNING";
export const isClosed = (job: ModelJob): boolean => job.state === "SUCCEEDED" || job.state === "CANCELLED";

export function latestOf(job: ModelJob): ModelAttempt {
  const latest = job.attempts[job.latest - 1];
  if (latest === undefined) throw new Error("A job in the model has no attempt.");
  return latest;
}

export function newestWorld(now: number, revisions: Readonly<Record<string, string>>): World {
  return { now, jobs: new Map(), certifications: [], paused: new Set(), revisions, acts: [] };
}
