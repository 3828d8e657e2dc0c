/**
 * Who follows whole sets of jobs, and which of the changed jobs they want to see. The feed reads; this chooses what, so that
 * the jobs of owners whom nobody watches are not read.
 */
import { LRUCache } from "lru-cache";
import type { JobFilter } from "../store/pages.ts";
import type { JobHead, Reads } from "../store/store.ts";
import type { LiveIterator } from "./live-iterator.ts";
import type { JobSnapshot, JobsDelivery } from "./ports.ts";
import { Watcher } from "./watcher.ts";

/** The changed jobs that someone wants to see, with those who do. */
export type Watched = ReadonlyMap<string, Chosen>;

interface Chosen {
  readonly head: JobHead;
  readonly watchers: readonly Watcher[];
}

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

/** Heads that are remembered, since they never change: of jobs that change again nothing but the change is read. */
const maxHeads = 20_000;

/** By whose jobs they watch; null for everybody's. */
function byOwner(watchers: Iterable<Watcher>): ReadonlyMap<string | null, readonly Watcher[]> {
  const groups = new Map<string | null, Watcher[]>();
  for (const watcher of watchers) {
    const ownerId = watcher.filter.ownerId ?? null;
    const group = groups.get(ownerId);
    if (group === undefined) groups.set(ownerId, [watcher]);
    else group.push(watcher);
  }
  return groups;
}

/** `askAgain` marks jobs to be read once more. */
export function openWatch(askAgain: (jobIds: readonly string[]) => void): Watch {
  const watchers = new Set<Watcher>();
  const heads = new LRUCache<string, JobHead>({ max: maxHeads });

  async function headsOf(read: Reads, jobIds: readonly string[]): Promise<JobHead[]> {
    const unknown = jobIds.filter((jobId) => !heads.has(jobId));
    const found = unknown.length === 0 ? [] : await read.jobHeads(unknown, false);
    for (const head of found) heads.set(head.id, head);
    const fresh = new Map(found.map((head) => [head.id, head]));
    return jobIds.flatMap((jobId) => {
      const head = fresh.get(jobId) ?? heads.get(jobId);
      if (head === undefined) for (const watcher of watchers) watcher.forget(jobId);
      return head ?? [];
    });
  }

  /** With all states that the job has been in, where one of the watchers decides by them. */
  async function withStates(read: Reads, chosen: readonly Chosen[]): Promise<readonly Chosen[]> {
    const asking = chosen.filter(({ head, watchers: some }) => some.some((watcher) => watcher.asksLog(head.id)));
    if (asking.length === 0) return chosen;
    const told = await read.jobHeads(
      asking.map(({ head }) => head.id),
      true,
    );
    const byId = new Map(told.map((head) => [head.id, head]));
    return chosen.map((one) => ({ ...one, head: byId.get(one.head.id) ?? one.head }));
  }

  return {
    get count() {
      return watchers.size;
    },
    get isWatching() {
      for (const watcher of watchers) if (!watcher.isBroken) return true;
      return false;
    },
    follow(filter) {
      const watcher: Watcher = new Watcher(filter, askAgain, () => {
        watchers.delete(watcher);
        if (watchers.size === 0) heads.clear();
      });
      watchers.add(watcher);
      return watcher.iterator;
    },
    async choose(read, jobIds) {
      const present = [...watchers].filter((watcher) => !watcher.isBroken);
      if (present.length === 0) return new Map();
      const groups = byOwner(present);
      const everybodys = groups.get(null) ?? [];
      const chosen: Chosen[] = (await headsOf(read, jobIds)).map((head) => {
        const candidates = [...(groups.get(head.ownerId) ?? []), ...everybodys];
        return {
          head,
          watchers: candidates.filter((watcher) => watcher.concerns(head) && watcher.hasRoomFor(head.id)),
        };
      });
      const wanted = await withStates(
        read,
        chosen.filter((one) => one.watchers.length > 0),
      );
      return new Map(wanted.map((one) => [one.head.id, one]));
    },
    show(watched, snapshots) {
      for (const [jobId, { head, watchers: interested }] of watched) {
        const snapshot = snapshots.get(jobId);
        for (const watcher of interested) {
          if (snapshot === undefined) watcher.forget(jobId);
          else watcher.show(snapshot, head);
        }
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
