/** What a verb needs of the process around it, as a type alone. */
import type { LimitFunction } from "p-limit";
import type { Sql } from "./connect.ts";

/** What a run needs of the process around it. */
export interface VerbRun {
  readonly sql: Sql;
  /** Null where the others are told after the commit. */
  readonly notifyAs: string | null;
  /** Statements that may wait for a locked row, in this process at once: they leave connections to everybody else. */
  readonly lone: LimitFunction;
  /** A commit is through: everybody is told who has not been by its notification. */
  changed(jobIds: readonly string[], queued: boolean): void;
  /** Nothing was committed, and yet an attempt may be claimed now: each process finds that out for itself. */
  wake(): void;
  /** The progress of these jobs changed, and nothing else: no statement notifies of that. */
  progressed(jobIds: readonly string[]): void;
  /** An attempt will be waiting then. */
  dueAfter(ms: number): void;
  /** A statement is run without its notification. */
  unheard(): void;
  /** The connection broke before the answer: what has changed, if anything, is known to the database alone. */
  lost(): void;
}
