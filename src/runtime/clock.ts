/**
 * The process's clock, timers and chance, and the only place of the runtime that has them. It paces loops and judges
 * nothing: deadlines, leases and expiries are the database's.
 */
import { randomBytes } from "node:crypto";

/** Node's timers fire at once when asked for more than this. */
const longestTimerMs = 2 ** 31 - 1;

/** What the machine believes the time to be: for the log, and for tokens, whose times another machine's clock has set. */
export function wallClock(): Date {
  return new Date();
}

/** Milliseconds that never run backwards, from an arbitrary start. */
export function monotonicMs(): number {
  return performance.now();
}

/** The first whole multiple of the grain at or after the moment: what waits for it, from whenever on, goes on together. */
export function onGrid(atMs: number, grainMs: number): number {
  return Math.ceil(atMs / grainMs) * grainMs;
}

/** Calls back once the time is over, at once if it is already; returns the way to call it off. One timer waits no longer than 24 days. */
function callAfter(ms: number, act: () => void): () => void {
  const untilMs = monotonicMs() + ms;
  let timer: NodeJS.Timeout | undefined;
  const arm = () => {
    const leftMs = untilMs - monotonicMs();
    if (leftMs <= 0) act();
    else timer = setTimeout(arm, Math.min(leftMs, longestTimerMs));
  };
  arm();
  return () => clearTimeout(timer);
}

/** Waits at least `ms`, never a fraction less; ends early, without an error, when the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    let callOff = (): void => {};
    const end = () => {
      callOff();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    signal?.addEventListener("abort", end, { once: true });
    callOff = callAfter(ms, end);
  });
}

/** The clock may be put forward meanwhile, or the machine sleep. */
const lookAgainMs = 60_000;

/** Waits until the wall clock shows the instant, however far off; ends early, without an error, when the signal is aborted. */
export async function sleepUntil(instant: Date, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const leftMs = instant.getTime() - wallClock().getTime();
    if (leftMs <= 0) return;
    await sleep(Math.min(leftMs, lookAgainMs), signal);
  }
}

/** Whether the promise has settled before `ms` are over. */
export function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const callOff = callAfter(ms, () => resolve(false));
    const settled = () => {
      callOff();
      resolve(true);
    };
    promise.then(settled, settled);
  });
}

/** Eight characters that tell one process from another. */
export function randomSuffix(): string {
  return randomBytes(4).toString("hex");
}
