/** How the processes on one database tell each other of commits, whatever carries it. Hints alone: ids, never what stands in a row. */
import type { Hint } from "../store.ts";

export interface Doorbell {
  /** Resolves once it hears, or has failed to for now: what is heard from then on is told, and what is not makes a gap. */
  readonly ready: Promise<void>;
  /** The prefix of the notification that each writing statement carries; null where `ring` tells the others instead. */
  readonly notifyAs: string | null;
  /** A commit of this process is through. Never waits, never throws. */
  ring(hint: Hint): void;
  /** A statement is run without its notification. */
  unheard(): void;
  /** It is not known whether a statement was carried out: nobody may ever ring for it. */
  lost(): void;
  /** `end` ends the statements; the doorbell goes before or after them, as it needs. */
  close(end: () => Promise<void>): Promise<void>;
}

export interface DoorbellListener {
  /** Another process has told of a commit. */
  readonly onHint: (hint: Hint) => void;
  /** Hints of other processes may have been lost. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
  /** How often the doorbell proves itself; after two silent intervals its connection is built anew. */
  readonly heartbeatMs?: number;
}

/** A fault of what carries the hints. The tables are the truth all the same, and are polled. */
export class DoorbellError extends Error {
  override readonly name = "DoorbellError";
}
