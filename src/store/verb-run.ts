/** What a verb needs of the process around it, as a type alone. */
import type { LimitFunction } from "p-limit";
import type { Sql } from "./connect.ts";

/** What a run needs of the process around it. */
export interface VerbRun {
  readonly sql: Sql;
  readonly notifyAs: string;
  /** Statements that may wait for a locked row, in this process at once: they leave connections to everybody else. */
  readonly lone: LimitFunction;
  changed(jobIds: readonly string[], queued: boolean): void;
  /** The progress of these jobs changed, and nothing else: other processes have not been notified. */
  progressed(jobIds: readonly string[]): void;
  /** An attempt will be waiting then. */
  dueAfter(ms: number): void;
  /** A statement is run without its notification. */
  unheard(): void;
  /** The connection broke before the answer: what has changed, if anything, is known to the database alone. */
  lost(): void;
}
