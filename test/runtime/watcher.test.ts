/** What one owner-wide follower remembers and keeps, and how much of it: without a store, since it reads nothing. */
import { expect, test } from "vitest";
import type { Job } from "../../src/domain/job.ts";
import type { JobSnapshot, JobsDelivery } from "../../src/runtime/ports.ts";
import { Watcher } from "../../src/runtime/watcher.ts";
import type { JobHead } from "../../src/store/store.ts";

const nobody = () => {};

/** Only what a watcher looks at. */
function snapshotOf(id: string, state: Job["state"], eventCount = 3): JobSnapshot {
  return { job: { id, state, eventCount, purgedAt: null } as Job, attempts: [] };
}

const headOf = (id: string, ...states: Job["state"][]): JobHead => ({ id, states }) as unknown as JobHead;

function opened(filter: { states?: Job["state"][] }, askAgain: (jobIds: readonly string[]) => void = nobody) {
  let released = 0;
  const watcher = new Watcher(filter, askAgain, () => (released += 1));
  const next = async (): Promise<JobsDelivery | null> => (await watcher.iterator.next()).value ?? null;
  return { watcher, next, releasedCount: () => released };
}

const idOf = (delivery: JobsDelivery | null) =>
  delivery?.kind === "changed" ? delivery.snapshot.job.id : delivery?.kind;

test("a job that has left is not sent again, though thousands of others have left behind it", async () => {
  const { watcher, next } = opened({ states: ["QUEUED"] });
  for (let number = 0; number < 12_000; number += 1) {
    const id = `job-${number}`;
    watcher.show(snapshotOf(id, "RUNNING"), headOf(id, "QUEUED", "RUNNING"));
    expect(idOf(await next())).toBe(id);
  }
  watcher.show(snapshotOf("job-0", "RUNNING", 4), headOf("job-0", "QUEUED", "RUNNING"));
  watcher.show(snapshotOf("last", "QUEUED"), headOf("last", "QUEUED"));
  expect(idOf(await next())).toBe("last");
});

test("a job that comes back is sent, and once more when it leaves again", async () => {
  const { watcher, next } = opened({ states: ["FAILED"] });
  const states: (Job["state"] | undefined)[] = [];
  for (const [state, eventCount] of [
    ["FAILED", 6],
    ["QUEUED", 7],
    ["RUNNING", 8],
    ["FAILED", 10],
  ] as const) {
    watcher.show(snapshotOf("job", state, eventCount), headOf("job", "QUEUED", "RUNNING", "FAILED"));
  }
  watcher.show(snapshotOf("other", "FAILED"), headOf("other", "FAILED"));
  for (let delivery = await next(); delivery?.kind === "changed"; delivery = await next()) {
    states.push(delivery.snapshot.job.state);
    if (delivery.snapshot.job.id === "other") break;
  }
  // Nobody had read it meanwhile, so only the newest was kept.
  expect(states).toEqual(["FAILED", "FAILED"]);
});

test("of what a slow reader was not given the ids are kept, and asked for again as it reads on", async () => {
  const asked: string[] = [];
  const { watcher, next } = opened({}, (jobIds) => asked.push(...jobIds));
  for (let number = 0; number < 300; number += 1)
    watcher.show(snapshotOf(`job-${number}`, "RUNNING"), headOf(`job-${number}`));
  for (let read = 0; read < 127; read += 1) await next();
  expect(asked).toEqual([]);
  await next();
  expect(asked).toEqual(Array.from({ length: 44 }, (_, index) => `job-${256 + index}`));
});

test("with more owed than can be caught up with it ends by resync, and shows nothing more", async () => {
  const { watcher, next, releasedCount } = opened({});
  for (let number = 0; number <= 10_256; number += 1) {
    watcher.show(snapshotOf(`job-${number}`, "RUNNING"), headOf(`job-${number}`));
  }
  watcher.show(snapshotOf("late", "RUNNING"), headOf("late"));
  expect(await next()).toEqual({ kind: "resync" });
  expect(await next()).toBeNull();
  expect(releasedCount()).toBe(1);
});
