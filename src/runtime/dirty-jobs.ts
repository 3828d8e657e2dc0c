/**
 * Which jobs the feed is to read, and when: at once after a change of state, and for progress alone at most once in a window
 * of each job. It reads nothing, and knows nobody who follows.
 */
import { grainOf, openWindows } from "./windows.ts";

export interface DirtyJobs {
  /** Those to be read now. */
  readonly size: number;
  mark(jobId: string): void;
  /** To be read by the end of the job's window, with whatever else has come by then. */
  markProgress(jobId: string): void;
  /** The oldest first: they are read now, and their windows begin. */
  take(most: number): string[];
  close(): void;
}

/** `onDue` is called when windows have ended with something to be read. */
export function openDirtyJobs(windowMs: number, onDue: () => void): DirtyJobs {
  const due = new Set<string>();
  /** Jobs with progress that is still to be read, in their window. */
  const waiting = new Set<string>();
  const windows = openWindows(grainOf(windowMs), (jobIds) => {
    for (const jobId of jobIds) if (waiting.delete(jobId)) due.add(jobId);
    if (due.size > 0) onDue();
  });
  return {
    get size() {
      return due.size;
    },
    mark(jobId) {
      due.add(jobId);
    },
    markProgress(jobId) {
      if (windows.isOpen(jobId)) waiting.add(jobId);
      else due.add(jobId);
    },
    take(most) {
      const taken: string[] = [];
      for (const jobId of due) {
        if (taken.length === most) break;
        taken.push(jobId);
      }
      for (const jobId of taken) {
        due.delete(jobId);
        waiting.delete(jobId);
        if (windowMs > 0 && !windows.isOpen(jobId)) windows.open(jobId, windowMs);
      }
      return taken;
    },
    close: () => windows.close(),
  };
}
