/**
 * Keys that each rest for a while. Their ends fall on a common grid, so that what was held back in many of them goes on
 * together. It knows nothing of what rests.
 */
import { setMaxListeners } from "node:events";
import { monotonicMs, onGrid, sleep } from "./clock.ts";

export interface Windows {
  /** The key rests for at least so long, and a grain more at most. It must not be resting already. */
  open(key: string, ms: number): void;
  isOpen(key: string): boolean;
  /** Nothing rests any more, and no end is told. */
  close(): void;
}

const longestGrainMs = 25;

/** By how much the end of a window may be late: a quarter of it at most. */
export function grainOf(windowMs: number): number {
  return Math.max(1, Math.min(longestGrainMs, windowMs / 4));
}

export function openWindows(grainMs: number, onEnd: (keys: readonly string[]) => void): Windows {
  const open = new Set<string>();
  /** By the moment of their end. */
  const ending = new Map<number, string[]>();
  const closing = new AbortController();
  // As many as moments of the grid that something ends at.
  setMaxListeners(0, closing.signal);

  async function end(atMs: number): Promise<void> {
    await sleep(atMs - monotonicMs(), closing.signal);
    if (closing.signal.aborted) return;
    const keys = ending.get(atMs) ?? [];
    ending.delete(atMs);
    for (const key of keys) open.delete(key);
    onEnd(keys);
  }

  return {
    open(key, ms) {
      if (closing.signal.aborted) return;
      const atMs = onGrid(monotonicMs() + ms, grainMs);
      open.add(key);
      const keys = ending.get(atMs);
      if (keys !== undefined) {
        keys.push(key);
        return;
      }
      ending.set(atMs, [key]);
      void end(atMs);
    },
    isOpen: (key) => open.has(key),
    close() {
      closing.abort();
      open.clear();
      ending.clear();
    },
  };
}
