/**
 * What workers report over the API, on its way to the store: of several reports of progress under one claim within the window
 * one statement is made, with the newest. It answers nothing itself: each answer is that of a statement sent after the call came.
 */
import type { Store } from "../store/store.ts";
import type { Heartbeat, HeartbeatAnswer, WorkerReport } from "../store/worker-commands.ts";
import { monotonicMs } from "./clock.ts";
import { grainOf, openWindows } from "./windows.ts";

export type Reporting = Pick<Store, "heartbeat" | "completeAttempt" | "failAttempt">;

export interface GatheredReports extends Reporting {
  /** Writes at once what is held back; nothing is held back any more. */
  stop(): Promise<void>;
}

interface Held {
  /** With the newest progress of all who wait. */
  command: Heartbeat;
  readonly answer: Promise<HeartbeatAnswer>;
  answerBy(answer: Promise<HeartbeatAnswer>): void;
}

/** Of one claim: exists while a report is being written, and for the rest of the window behind it. */
interface Line {
  held: Held | null;
  underWay: Promise<unknown>;
}

/** Of a lease the longest that a report may be held back: the worker beats three times in it. */
const shareOfLease = 1 / 3;

/** Whoever has another token, or may see other providers, stands in another line: nobody gets an answer that is not his. */
function claimOf({ attemptId, leaseToken, providers }: WorkerReport): string {
  return JSON.stringify([attemptId, leaseToken, providers]);
}

function hold(command: Heartbeat): Held {
  let answerBy: Held["answerBy"] = () => {};
  const answer = new Promise<HeartbeatAnswer>((resolve) => (answerBy = resolve));
  return { command, answer, answerBy };
}

export function gatherReports(store: Reporting, windowMs: number): GatheredReports {
  const lines = new Map<string, Line>();
  const windows = openWindows(grainOf(windowMs), (claims) => {
    for (const claim of claims) goOn(claim);
  });
  let isStopped = false;

  function write(claim: string, command: Heartbeat): Promise<HeartbeatAnswer> {
    const startedMs = monotonicMs();
    const answer = store.heartbeat(command);
    const line: Line = { held: null, underWay: answer };
    lines.set(claim, line);
    const rest = ({ kind, ...said }: HeartbeatAnswer) => {
      // Whoever was refused, or heard of a fault, has written nothing: the next report need not wait.
      const heldMs = "leaseMs" in said ? Math.min(windowMs, said.leaseMs * shareOfLease) : 0;
      const leftMs = startedMs + heldMs - monotonicMs();
      if (kind === "beating" && leftMs > 0 && !isStopped) windows.open(claim, leftMs);
      else goOn(claim);
    };
    answer.then(rest, () => goOn(claim));
    return answer;
  }

  /** The window of the claim is over. */
  function goOn(claim: string): void {
    const held = lines.get(claim)?.held ?? null;
    lines.delete(claim);
    if (held !== null) held.answerBy(write(claim, held.command));
  }

  /** What the claim's worker has reported so far is written, or known not to be. */
  async function flush(claim: string): Promise<void> {
    const line = lines.get(claim);
    if (line === undefined) return;
    const { held, underWay } = line;
    line.held = null;
    // The store never lets one overtake the other.
    if (held !== null) held.answerBy(store.heartbeat(held.command));
    await Promise.allSettled([underWay, held?.answer]);
  }

  return {
    heartbeat(command) {
      if (command.progress === null || windowMs === 0 || isStopped) return store.heartbeat(command);
      const claim = claimOf(command);
      const line = lines.get(claim);
      if (line === undefined) return write(claim, command);
      line.held ??= hold(command);
      line.held.command = command;
      return line.held.answer;
    },
    async completeAttempt(command) {
      await flush(claimOf(command));
      return store.completeAttempt(command);
    },
    async failAttempt(command) {
      await flush(claimOf(command));
      return store.failAttempt(command);
    },
    async stop() {
      isStopped = true;
      windows.close();
      await Promise.all([...lines.keys()].map(flush));
      lines.clear();
    },
  };
}
