/** Keeps the lease of one attempt and carries its progress, in the same statement. It calls no provider and settles nothing. */
import type { ProgressReport } from "../domain/outcome.ts";
import type { HeartbeatAnswer } from "../store/worker-commands.ts";
import { startLoop } from "./loop.ts";
import { storableProgress } from "./storable.ts";
import { grainOf } from "./windows.ts";

export interface HeartbeatOptions {
  readonly beat: (progress: ProgressReport | null) => Promise<HeartbeatAnswer>;
  readonly leaseMs: number;
  /** Least time between two beats that are made for progress alone. */
  readonly progressMs: number;
  /** The attempt is closed, or held by another: nothing is beaten any more. */
  readonly onRefused: (kind: "closed" | "lease-lost") => void;
  readonly onError: (error: unknown) => void;
}

export interface Heartbeat {
  /** The newest wins; at most one is written in `progressMs`. */
  reportProgress(progress: ProgressReport): void;
  /** Writes at once what was reported and is not written yet; where that fails, it is told and not tried again here. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export function startHeartbeat({ beat, leaseMs, progressMs, onRefused, onError }: HeartbeatOptions): Heartbeat {
  // A third: two beats may be lost before the lease is.
  const intervalMs = leaseMs / 3;
  let newest: ProgressReport | null = null;
  let written: ProgressReport | null = null;
  let isRefused = false;

  async function step(): Promise<void> {
    if (isRefused) return;
    const progress = newest;
    const answer = await beat(progress === written ? null : progress);
    // A flush may have written a newer one meanwhile: beats of one attempt are carried out in the order in which they were made.
    written = progress;
    if (answer.kind === "beating") return;
    isRefused = true;
    onRefused(answer.kind === "lease-lost" ? "lease-lost" : "closed");
  }

  const loop = startLoop({
    step,
    intervalMs,
    // A third of the lease is the next beat in any case. On a grid, so that the reports of many attempts share statements.
    restMs: Math.min(progressMs, intervalMs),
    restGrainMs: grainOf(progressMs),
    startsAtOnce: false,
    onError,
    backoffMs: { first: Math.min(200, intervalMs), most: Math.max(1, Math.min(intervalMs, 5_000)) },
  });

  return {
    reportProgress(given) {
      const progress = storableProgress(given);
      if (progress.fraction === newest?.fraction && progress.message === newest.message) return;
      newest = progress;
      loop.wake();
    },
    async flush() {
      try {
        if (newest !== written) await step();
      } catch (error) {
        onError(error);
      }
    },
    stop: () => loop.stop(),
  };
}
