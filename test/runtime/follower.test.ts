/** What followers deliver of what they are shown: numbers without gap or repeat, and no more memory than they may use. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { Attempt, Job, JobEvent } from "../../src/domain/job.ts";
import { eventPage, followAttempts, followEvents, followSnapshots } from "../../src/runtime/follower.ts";
import type { JobSnapshot } from "../../src/runtime/ports.ts";
import { waitUntil } from "../support/wait-until.ts";

const nobody = () => {};

/** Only what followers look at. */
function snapshot(job: Partial<Job>, ...attempts: Partial<Attempt>[]): JobSnapshot {
  return { job: { state: "RUNNING", eventCount: 0, ...job } as Job, attempts: attempts as Attempt[] };
}

function events(from: number, to: number): JobEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({ number: from + index }) as JobEvent);
}

async function read(iterator: AsyncIterator<{ event: JobEvent }>, count: number): Promise<number[]> {
  const numbers: number[] = [];
  while (numbers.length < count) {
    const { value, done } = await iterator.next();
    if (done) break;
    numbers.push(value.event.number);
  }
  return numbers;
}

test("events that come twice are delivered once, and none is delivered past a gap", async () => {
  const { follower, iterator } = followEvents(2, nobody, nobody);
  follower.show(snapshot({ eventCount: 4 }), events(1, 4));
  follower.show(snapshot({ eventCount: 5 }), events(3, 5));
  follower.show(snapshot({ eventCount: 8 }), events(7, 8));
  expect(follower.wantsAfter()).toBe(5);
  follower.show(snapshot({ eventCount: 8 }), events(6, 8));
  expect(await read(iterator, 6)).toEqual([3, 4, 5, 6, 7, 8]);
});

test("an event comes with the newest snapshot, never with one older than itself", async () => {
  const { follower, iterator } = followEvents(0, nobody, nobody);
  follower.show(snapshot({ eventCount: 1 }), events(1, 1));
  follower.show(snapshot({ eventCount: 3 }), events(2, 2));
  const first = await iterator.next();
  expect(first.value?.snapshot.job.eventCount).toBe(3);
});

test("a reader that does not come back holds a bounded number of events, and reads the rest from the log later", async () => {
  let asked = 0;
  const askAgain = () => {
    asked += 1;
  };
  const { follower, iterator } = followEvents(0, askAgain, nobody);
  const total = eventPage * 10;
  for (let from = 1; from <= total; from += eventPage) {
    follower.show(snapshot({ eventCount: total }), events(from, from + eventPage - 1));
  }
  expect(follower.wantsAfter()).toBe(null);
  expect(await read(iterator, eventPage - 1)).toEqual(events(1, eventPage - 1).map((event) => event.number));
  expect(asked).toBe(0);
  expect(await read(iterator, 1)).toEqual([eventPage]);
  expect(asked).toBe(1);
  expect(follower.wantsAfter()).toBe(eventPage * 2);
  follower.show(snapshot({ eventCount: total }), events(eventPage * 2 + 1, eventPage * 3));
  expect(await read(iterator, eventPage * 2)).toEqual(
    events(eventPage + 1, eventPage * 3).map((event) => event.number),
  );
});

test("a slow reader of snapshots gets the newest alone, and nothing where nothing changed", async () => {
  const { follower, iterator } = followSnapshots(nobody);
  follower.show(snapshot({ eventCount: 2 }), []);
  follower.show(snapshot({ eventCount: 3 }), []);
  expect((await iterator.next()).value?.job.eventCount).toBe(3);
  const waiting = iterator.next();
  follower.show(snapshot({ eventCount: 3 }), []);
  follower.show(snapshot({ eventCount: 4 }), []);
  expect((await waiting).value?.job.eventCount).toBe(4);
});

test("a beat of the lease is no news, progress is", async () => {
  const { follower, iterator } = followSnapshots(nobody);
  const attempt = { id: "a", state: "RUNNING", leaseExpiresAt: new Date(1), progress: null } as const;
  follower.show(snapshot({ eventCount: 2 }, attempt), []);
  await iterator.next();
  const waiting = iterator.next();
  follower.show(snapshot({ eventCount: 2 }, { ...attempt, leaseExpiresAt: new Date(2) }), []);
  const progress = { fraction: 0.5, message: null, updatedAt: new Date(3) };
  follower.show(snapshot({ eventCount: 2 }, { ...attempt, progress }), []);
  expect((await waiting).value?.attempts[0]?.progress?.fraction).toBe(0.5);
});

test("snapshots end after a closed state was delivered, and FAILED is not closed", async () => {
  const { follower, iterator } = followSnapshots(nobody);
  follower.show(snapshot({ state: "FAILED", eventCount: 4 }), []);
  expect((await iterator.next()).done).toBe(false);
  follower.show(snapshot({ state: "SUCCEEDED", eventCount: 8 }), []);
  expect((await iterator.next()).value?.job.state).toBe("SUCCEEDED");
  expect((await iterator.next()).done).toBe(true);
});

test("attempts are delivered by number, then each that changed in its newest state, and end when all of a closed job are", async () => {
  const { follower, iterator } = followAttempts(nobody);
  const first = { id: "a", number: 1, state: "CANCELLED" } as const;
  const second = { id: "b", number: 2, state: "RUNNING" } as const;
  follower.show(snapshot({}, first, second), []);
  const states = async () => {
    const { value } = await iterator.next();
    return value && `${value.attempt.number} ${value.attempt.state}`;
  };
  expect([await states(), await states()]).toEqual(["1 CANCELLED", "2 RUNNING"]);
  const late = { ...first, lateResultAt: new Date(5) };
  follower.show(snapshot({}, late, { ...second, state: "UNKNOWN" }), []);
  follower.show(snapshot({ state: "SUCCEEDED" }, late, { ...second, state: "SUCCEEDED" }), []);
  expect([await states(), await states()]).toEqual(["1 CANCELLED", "2 SUCCEEDED"]);
  expect((await iterator.next()).done).toBe(true);
});

test("followers of one job are handed one object each time, and of another snapshot another", async () => {
  const shown = snapshot({ eventCount: 1 }, { id: "a", state: "RUNNING" });
  const newer = snapshot({ eventCount: 2 }, { id: "a", state: "SUCCEEDED" });
  const log = events(1, 2);
  const delivered = async () => {
    const all = [followSnapshots(nobody), followAttempts(nobody), followEvents(0, nobody, nobody)];
    const seen: unknown[] = [];
    for (const [index, picture] of [shown, newer].entries())
      for (const { follower, iterator } of all) {
        follower.show(picture, log.slice(index, index + 1));
        seen.push((await iterator.next()).value);
      }
    return seen;
  };
  const [first, second] = [await delivered(), await delivered()];
  expect(new Set(first).size).toBe(6);
  expect(new Set([...first, ...second]).size).toBe(6);
});

test("a snapshot that was delivered is not kept for the next one to come", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const following = [followSnapshots(nobody), followEvents(0, nobody, nobody)];
  async function deliver(): Promise<WeakRef<JobSnapshot>> {
    const shown = snapshot({ eventCount: 1 });
    for (const { follower, iterator } of following) {
      follower.show(shown, events(1, 1));
      await iterator.next();
    }
    return new WeakRef(shown);
  }
  const weak = await deliver();
  await waitUntil("the snapshot is gone", () => {
    collect();
    return weak.deref() === undefined;
  });
  // They are there all the while, and shown the next one.
  for (const { follower, iterator } of following) {
    follower.show(snapshot({ eventCount: 2 }), events(2, 2));
    expect((await iterator.next()).done).toBe(false);
  }
});
