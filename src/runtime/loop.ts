/** A step that is repeated, on a beat or when woken, and never twice at once. It knows nothing of what the step does. */
import { monotonicMs, onGrid, sleep } from "./clock.ts";

export interface LoopOptions {
  readonly step: () => Promise<void>;
  /** From the end of one step to the start of the next when nobody wakes it; null for a loop that only wakes start. */
  readonly intervalMs: number | null;
  /** Least time between the starts of two steps, however often it is woken. */
  readonly restMs?: number;
  /** Rests end at whole multiples of this, so that loops which rest alike go on together. */
  readonly restGrainMs?: number;
  /** Whether the first step runs at once (the default) or after the first interval. */
  readonly startsAtOnce?: boolean;
  readonly onError: (error: unknown) => void;
  /** The wait after a failed step: doubled by every further failure up to the second. */
  readonly backoffMs?: { readonly first: number; readonly most: number };
}

export interface Loop {
  /** Runs the step at once, or once more behind the one under way. */
  wake(): void;
  /** No step starts any more; resolves when the one under way has ended. */
  stop(): Promise<void>;
}

export function startLoop(options: LoopOptions): Loop {
  const { intervalMs, restMs = 0, restGrainMs = 0, backoffMs = { first: 100, most: 5_000 } } = options;
  const stopping = new AbortController();
  let rousing = new AbortController();
  let woken = options.startsAtOnce ?? true;
  let failures = 0;
  let startedMs = Number.NEGATIVE_INFINITY;

  async function pause(): Promise<void> {
    if (failures > 0) {
      // A wake is remembered but does not shorten this: a broken database is not asked more often for being busy.
      await sleep(Math.min(backoffMs.most, backoffMs.first * 2 ** Math.min(failures - 1, 30)), stopping.signal);
      return;
    }
    if (!woken) {
      rousing = new AbortController();
      await sleep(intervalMs ?? Number.POSITIVE_INFINITY, rousing.signal);
    }
    const restUntilMs = startedMs + restMs;
    const restLeftMs = (restGrainMs > 0 ? onGrid(restUntilMs, restGrainMs) : restUntilMs) - monotonicMs();
    if (restLeftMs > 0) await sleep(restLeftMs, stopping.signal);
  }

  async function run(): Promise<void> {
    for (;;) {
      await pause();
      if (stopping.signal.aborted) return;
      woken = false;
      startedMs = monotonicMs();
      try {
        await options.step();
        failures = 0;
      } catch (error) {
        failures += 1;
        options.onError(error);
      }
      if (stopping.signal.aborted) return;
    }
  }

  const ended = run();
  return {
    wake() {
      woken = true;
      // Without a reason each abort would make an exception, with its stack: for nobody, and for every hint.
      rousing.abort("woken");
    },
    stop() {
      stopping.abort();
      rousing.abort();
      return ended;
    },
  };
}
