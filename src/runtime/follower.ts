/** The three ways to follow a job: snapshots, attempts, events. Each remembers what it has delivered; none of them reads anything. */
import type { Attempt, JobEvent } from "../domain/job.ts";
import { isClosed } from "../domain/lifecycle.ts";
import { LiveIterator, type Stock } from "./live-iterator.ts";
import { deliveryOfAttempt, deliveryOfEvent } from "./one-delivery.ts";
import type { AttemptDelivery, EventDelivery, JobSnapshot } from "./ports.ts";

export interface Follower {
  /** The number after which it takes events now; null when it takes none. */
  wantsAfter(): number | null;
  /** What has just been read: events in order, and a snapshot that is no older than any of them. */
  show(snapshot: JobSnapshot, events: readonly JobEvent[]): void;
  /** The job is gone, or the feed closes. */
  end(): void;
}

export interface Following<Value extends object> {
  readonly follower: Follower;
  readonly iterator: LiveIterator<Value>;
}

const marks = new WeakMap<object, string>();

/** A mark is made once for all followers of what it marks. */
function remembered<Marked extends object>(markOf: (marked: Marked) => string): (marked: Marked) => string {
  return (marked) => {
    const mark = marks.get(marked) ?? markOf(marked);
    marks.set(marked, mark);
    return mark;
  };
}

/** What of an attempt a follower is told about: not every beat of its lease. */
const markOf = remembered((attempt: Attempt) => {
  const { state, progress, providerRequestId, effectUncertain, lateResultAt, lookedUpAt } = attempt;
  return JSON.stringify([state, progress, providerRequestId, effectUncertain, lateResultAt, lookedUpAt]);
});

/** Equal for two snapshots that a follower need not tell apart. */
export const markOfSnapshot = remembered(({ job, attempts }: JobSnapshot) =>
  JSON.stringify([job.state, job.eventCount, job.purgedAt, attempts.map(markOf)]),
);

function following<Value extends object>(
  stock: Stock<Value>,
  show: Follower["show"],
  wantsAfter: Follower["wantsAfter"],
): Following<Value> {
  const iterator = new LiveIterator(stock);
  const follower: Follower = {
    wantsAfter,
    show(snapshot, events) {
      show(snapshot, events);
      iterator.wake();
    },
    end: () => iterator.end(),
  };
  return { follower, iterator };
}

/** Only the newest snapshot is kept, and only until it is delivered, so that a slow reader costs nothing. */
export function followSnapshots(release: () => void): Following<JobSnapshot> {
  let newest: JobSnapshot | null = null;
  let delivered: string | null = null;
  let wasLast = false;
  const stock: Stock<JobSnapshot> = {
    take() {
      const snapshot = newest;
      newest = null;
      if (snapshot === null || markOfSnapshot(snapshot) === delivered) return null;
      delivered = markOfSnapshot(snapshot);
      wasLast = isClosed(snapshot.job.state);
      return snapshot;
    },
    isOver: () => wasLast && newest === null,
    release,
  };
  const show = (snapshot: JobSnapshot) => {
    newest = snapshot;
  };
  return following(stock, show, () => null);
}

/** As with snapshots, and by number: of every attempt at most the newest state is still to be delivered. */
export function followAttempts(release: () => void): Following<AttemptDelivery> {
  let newest: JobSnapshot | null = null;
  const delivered = new Map<string, string>();
  const isNews = (attempt: Attempt) => delivered.get(attempt.id) !== markOf(attempt);
  const stock: Stock<AttemptDelivery> = {
    take() {
      const attempt = newest?.attempts.find(isNews);
      if (newest === null || attempt === undefined) return null;
      delivered.set(attempt.id, markOf(attempt));
      return deliveryOfAttempt(attempt, newest);
    },
    isOver: () => newest !== null && isClosed(newest.job.state) && !newest.attempts.some(isNews),
    release,
  };
  const show = (snapshot: JobSnapshot) => {
    newest = snapshot;
  };
  return following(stock, show, () => null);
}

/** Events of one page, and as many again that a reader may leave unread before its follower falls back to the log. */
export const eventPage = 256;
const maxUnread = 2 * eventPage;

/**
 * Every event after `after`, by number: one is taken only if it is the next, so there is neither gap nor repeat. Past
 * `maxUnread` nothing is kept but the number; `askAgain` is called when the reader has come back.
 */
export function followEvents(after: number, askAgain: () => void, release: () => void): Following<EventDelivery> {
  let newest: JobSnapshot | null = null;
  let last = after;
  const unread: JobEvent[] = [];
  const hasRoom = () => unread.length + eventPage <= maxUnread;
  const stock: Stock<EventDelivery> = {
    take() {
      const hadRoom = hasRoom();
      const event = unread.shift();
      if (event === undefined || newest === null) return null;
      if (!hadRoom && hasRoom() && last < newest.job.eventCount) askAgain();
      const delivery = deliveryOfEvent(event, newest);
      if (unread.length === 0) newest = null;
      return delivery;
    },
    isOver: () => false,
    release,
  };
  const show = (snapshot: JobSnapshot, events: readonly JobEvent[]) => {
    newest = snapshot;
    for (const event of events) {
      if (event.number === last + 1 && unread.length < maxUnread) {
        unread.push(event);
        last = event.number;
      }
    }
  };
  return following(stock, show, () => (hasRoom() ? last : null));
}
