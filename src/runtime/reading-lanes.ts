/**
 * In which order changed jobs are read: many at a time; and those of a read that failed apart, in ever smaller groups, until
 * the one that cannot be read is alone. It keeps nobody else from being read, and it is tried again. This reads nothing itself.
 */
import { startLoop } from "./loop.ts";

export interface ReadingLanesOptions {
  /** Reads and shows these jobs, or rejects. Never called for a job that is being read. */
  readonly read: (jobIds: readonly string[]) => Promise<void>;
  /** Jobs read at a time, so that no statement grows without bound. */
  readonly atOnce: number;
  /** Least time between the starts of two readings, but for those that are set apart. */
  readonly restMs?: number;
  readonly onError: (error: unknown) => void;
}

export interface ReadingLanes {
  /** Jobs that wait to be read. */
  readonly size: number;
  /** To be read once more, from now on; not before `wake`. */
  add(jobId: string): void;
  /** Drops those that wait and do not fit. */
  keep(fits: (jobId: string) => boolean): void;
  wake(): void;
  stop(): Promise<void>;
}

function take(waiting: Set<string>, most: number): string[] {
  const taken: string[] = [];
  for (const jobId of waiting) {
    if (taken.length === most) break;
    taken.push(jobId);
    waiting.delete(jobId);
  }
  return taken;
}

export function openReadingLanes({ read, atOnce, restMs = 0, onError }: ReadingLanesOptions): ReadingLanes {
  const waiting = new Set<string>();
  const apart = new Set<string>();
  let apartUnderWay: ReadonlySet<string> = new Set();
  let apartAtOnce = atOnce;

  function add(jobId: string): void {
    if (apart.has(jobId)) return;
    if (apartUnderWay.has(jobId)) apart.add(jobId);
    else waiting.add(jobId);
  }

  /** Smaller by half than what has just failed, unless there is one alone already. */
  function setApart(jobIds: readonly string[]): void {
    apartAtOnce = Math.min(apartAtOnce, Math.ceil(jobIds.length / 2));
    for (const jobId of jobIds) {
      waiting.delete(jobId);
      apart.add(jobId);
    }
  }

  async function readWaiting(): Promise<void> {
    const jobIds = take(waiting, atOnce);
    try {
      if (jobIds.length > 0) await read(jobIds);
    } catch (error) {
      setApart(jobIds);
      readingApart.wake();
      throw error;
    } finally {
      if (waiting.size > 0) reading.wake();
    }
  }

  async function readApart(): Promise<void> {
    const jobIds = take(apart, apartAtOnce);
    apartUnderWay = new Set(jobIds);
    try {
      if (jobIds.length > 0) await read(jobIds);
      apartAtOnce = Math.min(atOnce, apartAtOnce * 2);
    } catch (error) {
      setApart(jobIds);
      throw error;
    } finally {
      apartUnderWay = new Set();
      if (apart.size > 0) readingApart.wake();
    }
  }

  const ofWakes = { intervalMs: null, startsAtOnce: false, onError };
  const reading = startLoop({ step: readWaiting, restMs, ...ofWakes });
  const readingApart = startLoop({ step: readApart, ...ofWakes });

  return {
    get size() {
      return waiting.size + apart.size;
    },
    add,
    keep(fits) {
      for (const jobIds of [waiting, apart]) {
        for (const jobId of jobIds) if (!fits(jobId)) jobIds.delete(jobId);
      }
    },
    wake() {
      if (waiting.size > 0) reading.wake();
      if (apart.size > 0) readingApart.wake();
    },
    async stop() {
      await Promise.all([reading.stop(), readingApart.stop()]);
    },
  };
}
