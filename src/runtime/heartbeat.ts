/** Keeps the lease of one attempt and carries its progress, in the same statement. It calls no provider and settles nothing. */
import type { ProgressReport } from "../domain/outcome.ts";
import type { HeartbeatAnswer } from "../store/worker-commands.ts";
import { startLoop } from "./loop.ts";
import { storableProgress } from "./storable.ts";

export interface HeartbeatOptions {
  readonly beat: (progress: ProgressReport | null) => Promise<HeartbeatAnswer>;
  readonly leaseMs: number;
  /** The attempt is closed, or held by another: nothing is beaten any more. */
  readonly onRefused: (kind: "closed" | "lease-lost") => void;
  readonly onError: (error: unknown) => void;
}

export interface Heartbeat {
  /** The newest wins; at most one is written in `progressGapMs`. */
  reportProgress(progress: ProgressReport): void;
  stop(): Promise<void>;
}

const progressGapMs = 200;

export function startHeartbeat({ beat, leaseMs, onRefused, onError }: HeartbeatOptions): Heartbeat {
  // A third: two beats may be lost before the lease is.
  const intervalMs = leaseMs / 3;
  let newest: ProgressReport | null = null;
  let written: ProgressReport | null = null;
  let isRefused = false;

  async function step(): Promise<void> {
    if (isRefused) return;
    const progress = newest;
    const answer = await beat(progress === written ? null : progress);
    written = progress;
    if (answer.kind === "beating") return;
    isRefused = true;
    onRefused(answer.kind === "lease-lost" ? "lease-lost" : "closed");
  }

  const loop = startLoop({
    step,
    intervalMs,
    restMs: progressGapMs,
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
    stop: () => loop.stop(),
  };
}
