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
  readonly filter: JobFilter;
  readonly #askAgain: (jobIds: readonly string[]) => void;
  readonly #kept = new Map<string, JobSnapshot>();
  readonly #owed = new Set<string>();
  /** Of the owed those that are being read again: there is room for them. */
  readonly #asked = new Set<string>();
  /** By job that matched: what was delivered last. */
  readonly #delivered = new Map<string, string>();
  /** Jobs that were sent for the last time, having stopped matching. */
  readonly #left = new Set<string>();
  /** It will say so, and shows nothing more. */
  isBroken = false;
  #isOver = false;

  /** `askAgain` has jobs read once more; `release` is called once, when nothing will ever be delivered again. */
  constructor(filter: JobFilter, askAgain: (jobIds: readonly string[]) => void, release: () => void) {
    this.filter = filter;
    this.#askAgain = askAgain;
    const stock: Stock<JobsDelivery> = { take: () => this.#take(), isOver: () => this.#isOver, release };
    this.iterator = new LiveIterator(stock);
  }

  /** Whether the job's log decides if it is news, were it found not to match. */
  asksLog(jobId: string): boolean {
    return this.filter.states !== undefined && !this.#delivered.has(jobId) && !this.#left.has(jobId);
  }

  /**
   * Whether a change of the job is worth reading now. With no room the id is noted: a reader who is behind has the jobs read
   * at his own pace. By states it is only known after reading whether there is anything to note.
   */
  hasRoomFor(jobId: string): boolean {
    if (this.filter.states !== undefined || this.#kept.has(jobId) || this.#asked.has(jobId)) return true;
    if (this.#kept.size + this.#asked.size < maxKept) return true;
    this.#owe(jobId);
    return false;
  }

  concerns(head: JobHead): boolean {
    return concerns(this.filter, head);
  }

  /** A job that concerns it has been read. `head.states` are all that the job has been in. */
  show(snapshot: JobSnapshot, head: JobHead): void {
    const { id } = snapshot.job;
    // What is kept is replaced in any case: it has just become old.
    const isKept = this.#kept.has(id);
    this.#asked.delete(id);
    if (this.isBroken) return;
    if (isKept || this.#isNews(snapshot, head)) {
      if (isKept || this.#kept.size < maxKept) {
        this.#kept.set(id, snapshot);
        this.#owed.delete(id);
      } else this.#owe(id);
      this.iterator.wake();
    }
    this.#catchUp();
  }

  /** The job is gone: whatever room was kept for it is free again. */
  forget(jobId: string): void {
    if (this.#asked.delete(jobId)) this.#catchUp();
  }

  #owe(jobId: string): void {
    this.#owed.add(jobId);
    if (this.#owed.size > maxOwed) this.break();
  }

  /** Has some of what is owed read again, once there is room for so many. */
  #catchUp(): void {
    if (this.#owed.size === 0 || this.#kept.size + this.#asked.size > maxKept - readAgainAtOnce) return;
    const again: string[] = [];
    for (const jobId of this.#owed) {
      if (again.length === readAgainAtOnce) break;
      again.push(jobId);
    }
    for (const jobId of again) {
      this.#owed.delete(jobId);
      this.#asked.add(jobId);
    }
    this.#askAgain(again);
  }

  /** Changes may have gone unseen: what it has is dropped, and it ends by saying so. */
  break(): void {
    this.#kept.clear();
    this.#owed.clear();
    this.#asked.clear();
    this.isBroken = true;
    this.iterator.wake();
  }

  #matches(job: Job): boolean {
    return this.filter.states?.includes(job.state) ?? true;
  }

  #isNews(snapshot: JobSnapshot, head: JobHead): boolean {
    const { job } = snapshot;
    if (this.#matches(job)) return this.#delivered.get(job.id) !== markOfSnapshot(snapshot);
    if (this.#left.has(job.id)) return false;
    // Of a job not seen before, the log says whether it has ever matched: the caller may have it in a list.
    return this.#delivered.has(job.id) || (head.states?.some((state) => this.filter.states?.includes(state)) ?? true);
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
    this.#catchUp();
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
