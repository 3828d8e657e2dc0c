/** What the layers above may ask of the runtime, as types alone: the live feed, the claim desk, and questions to providers. */
import type { Actor } from "../domain/event.ts";
import type { Attempt, Job, JobEvent } from "../domain/job.ts";
import type { JobFilter } from "../store/pages.ts";
import type { Claim, ClaimAttempts } from "../store/worker-commands.ts";

/** A job with all its attempts, read together once for every follower. */
export interface JobSnapshot {
  readonly job: Job;
  /** By number. */
  readonly attempts: readonly Attempt[];
}

export interface EventDelivery {
  readonly event: JobEvent;
  /** The job as it was read right after the event; it may be newer than the event, never older. */
  readonly snapshot: JobSnapshot;
}

export interface AttemptDelivery {
  readonly attempt: Attempt;
  readonly snapshot: JobSnapshot;
}

export type JobsDelivery =
  | { readonly kind: "changed"; readonly snapshot: JobSnapshot }
  /** Changes may have gone unseen: query anew. Nothing follows it. */
  | { readonly kind: "resync" };

/**
 * Follows jobs live. Whether the caller may see the job is settled before. Each iterator frees all it holds when it is
 * returned, when the job's follower ends, or when the feed closes (which ends it without an error).
 */
export interface Feed {
  /** The job now, then again at every change of it or of its progress; a slow reader gets the newest alone. Ends after a closed state was delivered. */
  followJob(jobId: string): AsyncIterableIterator<JobSnapshot>;
  /** Every event after the number, from the log and then live, without gap or repeat; stays open past a closed state. */
  followEvents(jobId: string, after: number): AsyncIterableIterator<EventDelivery>;
  /** Each attempt as it is now, then again at each change of one; a slow reader gets the newest of each. Ends after a closed state was delivered. */
  followAttempts(jobId: string): AsyncIterableIterator<AttemptDelivery>;
  /**
   * Every job that matches, at each change from now on, and once more when it stops matching (where it is not known whether
   * it ever matched while the caller looked, the log decides: it may be sent although the caller never had it). A slow
   * reader gets the newest of each job alone. After a break in the feed it ends with `resync`.
   */
  followJobs(filter: JobFilter): AsyncIterableIterator<JobsDelivery>;
}

/** Claims attempts for workers, waiting for one where asked. */
export interface ClaimDesk {
  /** With nothing to claim, waits up to `waitMs` for something; an aborted signal ends the wait with the empty answer. */
  claim(command: ClaimAttempts, waitMs: number, signal?: AbortSignal): Promise<Claim[]>;
}

/** Tells the provider, best effort and without waiting, that the attempt was cancelled. For after the cancellation has committed. */
export type CancelAtProvider = (attemptId: string) => void;

export type LookUpAnswer =
  /** What was learnt, the attempt's state says. */
  | { readonly kind: "asked"; readonly jobId: string; readonly attemptId: string }
  | {
      readonly kind: "unavailable";
      readonly attemptId: string;
      readonly why: "not-started" | "no-look-up" | "unreachable";
    }
  | { readonly kind: "closed"; readonly attemptId: string }
  | { readonly kind: "not-found" };

/** Asks the attempt's provider what became of it, and settles it in the actor's name. The reason is for the audit log. */
export type LookUp = (attemptId: string, actor: Actor, reason?: string | null) => Promise<LookUpAnswer>;
