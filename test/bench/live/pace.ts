/** Work at so many times a second, in even steps, without waiting for one before the next. It counts, and judges nothing. */
import { setTimeout as pause } from "node:timers/promises";

/** Calls `act` at the rate until the signal is aborted; late steps are made good. Resolves with their number when all have ended. */
export async function pace(perSecond: number, signal: AbortSignal, act: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  const open = new Set<Promise<void>>();
  let done = 0;
  const faults: Error[] = [];
  while (!signal.aborted && faults.length === 0) {
    const due = Math.floor(((performance.now() - startMs) * perSecond) / 1_000) + 1;
    for (; done < due; done += 1) {
      const one: Promise<void> = act()
        .catch((error: unknown) => {
          faults.push(error instanceof Error ? error : new Error(String(error)));
        })
        .finally(() => open.delete(one));
      open.add(one);
    }
    await pause(Math.max(1, startMs + (done * 1_000) / perSecond - performance.now()));
  }
  await Promise.all(open);
  const [fault] = faults;
  if (fault !== undefined) throw fault;
  return done;
}

/** Aborted after so many seconds. */
export function forSeconds(seconds: number): AbortSignal {
  return AbortSignal.timeout(seconds * 1_000);
}
