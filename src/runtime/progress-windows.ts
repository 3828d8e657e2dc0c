/**
 * For each job a time in which it is not read again for its progress alone, since the newest report is all that anybody wants.
 * A change of state knows no such window, and takes the progress along. It reads nothing, and knows nobody who follows.
 */
import { grainOf, openWindows } from "./windows.ts";

export interface ProgressWindows {
  /** Whether the job is to be read for its progress now; if not, it is told once its window has ended. */
  admits(jobId: string): boolean;
  /** These are read now, for whatever reason: nothing of them waits any more, and their windows begin. */
  start(jobIds: readonly string[]): void;
  close(): void;
}

/** `onDue` is told of jobs whose windows have ended with progress to be read. */
export function openProgressWindows(windowMs: number, onDue: (jobIds: readonly string[]) => void): ProgressWindows {
  const waiting = new Set<string>();
  const windows = openWindows(grainOf(windowMs), (jobIds) => {
    const due = jobIds.filter((jobId) => waiting.delete(jobId));
    if (due.length > 0) onDue(due);
  });
  return {
    admits(jobId) {
      if (!windows.isOpen(jobId)) return true;
      waiting.add(jobId);
      return false;
    },
    start(jobIds) {
      for (const jobId of jobIds) {
        waiting.delete(jobId);
        if (windowMs > 0 && !windows.isOpen(jobId)) windows.open(jobId, windowMs);
      }
    },
    close: () => windows.close(),
  };
}
