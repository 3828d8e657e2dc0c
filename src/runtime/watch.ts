/**
 * Who follows whole sets of jobs, and which of the changed jobs they want to see. The feed reads; this chooses what, so that
 * the jobs of owners whom nobody watches are not read.
 */
import type { JobFilter } from "../store/pages.ts";
import type { JobHead, Reads } from "../store/store.ts";
import type { LiveIterator } from "./live-iterator.ts";
import type { JobSnapshot, JobsDelivery } from "./ports.ts";
import { Watcher } from "./watcher.ts";

/** The changed jobs that someone wants to see, with those who do. */
export type Watched = ReadonlyMap<string, { readonly head: JobHead; readonly watchers: readonly Watcher[] }>;

export interface Watch {
  readonly count: number;
  /** Whether anybody would be shown a change now: who is broken has only that left to say. */
  readonly isWatching: boolean;
  follow(filter: JobFilter): LiveIterator<JobsDelivery>;
  /** Whoever comes later is not among those of the answer, and is not shown what is being read. */
  choose(read: Reads, jobIds: readonly string[]): Promise<Watched>;
  show(watched: Watched, snapshots: ReadonlyMap<string, JobSnapshot>): void;
  /** Ends every watcher by RESYNC. */
  break(): void;
  /** Ends every watcher without an error. */
  close(): void;
}

/** `askAgain` marks jobs to be read once more. */
export function openWatch(askAgain: (jobIds: readonly string[]) => void): Watch {
  const watchers = new Set<Watcher>();
  return {
    get count() {
      return watchers.size;
    },
    get isWatching() {
      for (const watcher of watchers) if (!watcher.isBroken) return true;
      return false;
    },
    follow(filter) {
      const watcher: Watcher = new Watcher(filter, askAgain, () => watchers.delete(watcher));
      watchers.add(watcher);
      return watcher.iterator;
    },
    async choose(read, jobIds) {
      const present = [...watchers].filter((watcher) => !watcher.isBroken);
      if (present.length === 0) return new Map();
      const withStates = present.some((watcher) => watcher.needsStates);
      const heads = await read.jobHeads(jobIds, withStates);
      const chosen = heads.map((head) => ({ head, watchers: present.filter((watcher) => watcher.concerns(head)) }));
      return new Map(chosen.filter((one) => one.watchers.length > 0).map((one) => [one.head.id, one]));
    },
    show(watched, snapshots) {
      for (const [jobId, { head, watchers: interested }] of watched) {
        const snapshot = snapshots.get(jobId);
        if (snapshot !== undefined) for (const watcher of interested) watcher.show(snapshot, head);
      }
    },
    break() {
      for (const watcher of watchers) watcher.break();
    },
    close() {
      for (const watcher of watchers) watcher.iterator.end();
    },
  };
}
