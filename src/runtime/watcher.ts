/**
 * One owner-wide follower: the jobs that match its filter, each as it was read last. It remembers what it has delivered, is
 * never in the way of the reader beside it, and reads nothing itself.
 */
import type { Job } from "../domain/job.ts";
import type { JobFilter } from "../store/pages.ts";
import type { JobHead } from "../store/store.ts";
import { markOfSnapshot } from "./follower.ts";
import { LiveIterator, type Stock } from "./live-iterator.ts";
import { deliveryOfJob } from "./one-delivery.ts";
import type { JobSnapshot, JobsDelivery } from "./ports.ts";

/** Snapshots kept for a reader who is slower than the changes; of further jobs the ids alone, to be read again. */
const maxKept = 256;
/** Ids kept so; with more, querying is better than catching up. */
const maxOwed = 10_000;
/** Matching jobs of which it remembers what it has delivered. One that was forgotten may be delivered again unchanged. */
const maxRemembered = 10_000;
/** Jobs of which it remembers that they have left: by their ids alone, so they may be many. */
const maxLeft = 100_000;
const readAgainAtOnce = 128;

/** What a job can never change, compared with the filter. */
function concerns(filter: JobFilter, head: JobHead): boolean {
  const { operation, provider, ownerId, idempotencyKey, createdAfter, createdBefore } = filter;
  return (
    (ownerId === undefined || head.ownerId === ownerId) &&
    (operation === undefined || head.operation === operation) &&
    (provider === undefined || head.provider === provider) &&
    (idempotencyKey === undefined || head.idempotencyKey === idempotencyKey) &&
    (createdAfter === undefined || head.createdAt > createdAfter) &&
    (createdBefore === undefined || head.createdAt < createdBefore)
  );
}

export class Watcher {
  readonly iterator: LiveIterator<JobsDelivery>;
  readonly #filter: JobFilter;
  readonly #askAgain: (jobIds: readonly string[]) => void;
  readonly #kept = new Map<string, JobSnapshot>();
  readonly #owed = new Set<string>();
  /** By job that matched: what was delivered last. */
  readonly #delivered = new Map<string, string>();
  /** Jobs that were sent for the last time, having stopped matching. */
  readonly #left = new Set<string>();
  /** It will say so, and shows nothing more. */
  isBroken = false;
  #isOver = false;

  /** `askAgain` has jobs read once more; `release` is called once, when nothing will ever be delivered again. */
  constructor(filter: JobFilter, askAgain: (jobIds: readonly string[]) => void, release: () => void) {
    this.#filter = filter;
    this.#askAgain = askAgain;
    const stock: Stock<JobsDelivery> = { take: () => this.#take(), isOver: () => this.#isOver, release };
    this.iterator = new LiveIterator(stock);
  }

  get needsStates(): boolean {
    return this.#filter.states !== undefined;
  }

  concerns(head: JobHead): boolean {
    return concerns(this.#filter, head);
  }

  /** A job that concerns it has been read. `head.states` are all that the job has been in. */
  show(snapshot: JobSnapshot, head: JobHead): void {
    const { id } = snapshot.job;
    // What is kept is replaced in any case: it has just become old.
    const isKept = this.#kept.has(id);
    if (this.isBroken || !(isKept || this.#isNews(snapshot, head))) return;
    if (isKept || this.#kept.size < maxKept) {
      this.#kept.set(id, snapshot);
      this.#owed.delete(id);
    } else {
      this.#owed.add(id);
      if (this.#owed.size > maxOwed) this.break();
    }
    this.iterator.wake();
  }

  /** Changes may have gone unseen: what it has is dropped, and it ends by saying so. */
  break(): void {
    this.#kept.clear();
    this.#owed.clear();
    this.isBroken = true;
    this.iterator.wake();
  }

  #matches(job: Job): boolean {
    return this.#filter.states?.includes(job.state) ?? true;
  }

  #isNews(snapshot: JobSnapshot, head: JobHead): boolean {
    const { job } = snapshot;
    if (this.#matches(job)) return this.#delivered.get(job.id) !== markOfSnapshot(snapshot);
    if (this.#left.has(job.id)) return false;
    // Of a job not seen before, the log says whether it has ever matched: the caller may have it in a list.
    return this.#delivered.has(job.id) || head.states.some((state) => this.#filter.states?.includes(state));
  }

  #take(): JobsDelivery | null {
    if (this.isBroken) {
      this.#isOver = true;
      return { kind: "resync" };
    }
    const [oldest] = this.#kept;
    if (oldest === undefined) return null;
    const [id, snapshot] = oldest;
    this.#kept.delete(id);
    this.#remember(id, snapshot);
    if (this.#owed.size > 0 && this.#kept.size <= maxKept - readAgainAtOnce) {
      const again = [...this.#owed].slice(0, readAgainAtOnce);
      for (const owed of again) this.#owed.delete(owed);
      this.#askAgain(again);
    }
    return deliveryOfJob(snapshot);
  }

  #remember(id: string, snapshot: JobSnapshot): void {
    // Taken out of both and put in again, it is the youngest.
    this.#delivered.delete(id);
    this.#left.delete(id);
    if (this.#matches(snapshot.job)) this.#delivered.set(id, markOfSnapshot(snapshot));
    else this.#left.add(id);
    forgetOldest(this.#delivered, maxRemembered);
    forgetOldest(this.#left, maxLeft);
  }
}

function forgetOldest(remembered: Map<string, unknown> | Set<string>, most: number): void {
  if (remembered.size <= most) return;
  const [oldest] = remembered.keys();
  if (oldest !== undefined) remembered.delete(oldest);
}
