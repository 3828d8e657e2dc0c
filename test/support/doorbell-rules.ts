/** What every doorbell owes the processes on one database, as tests over two stores. What only one of them can suffer stands elsewhere. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { StoreOptions } from "../../src/store/open-store.ts";
import type { Hint, Store } from "../../src/store/store.ts";
import {
  cancelAttemptCommand,
  cancelJobCommand,
  claimOne,
  createCommand,
  createOne,
  failureOf,
  foundFailed,
  loseOne,
  operator,
  reportOf,
  resolveCommand,
  retryCommand,
  termsOf,
} from "./store-kit.ts";
import { openTestStore, type TestStore } from "./test-store.ts";
import { waitUntil } from "./wait-until.ts";

export function record(store: Store): Hint[] {
  const hints: Hint[] = [];
  store.onHint((hint) => hints.push(hint));
  return hints;
}

export const mentions = (hints: readonly Hint[], jobId: string) => hints.filter((hint) => hint.jobIds.includes(jobId));

/** The way from one store to the other is open once what the one writes is heard by the other. */
export async function untilHeard(writer: Store, hearer: Store): Promise<void> {
  const hints = record(hearer);
  const written: string[] = [];
  await waitUntil(
    "what one store writes is heard by the other",
    async () => {
      written.push(await createOne(writer));
      return written.some((jobId) => mentions(hints, jobId).length > 0);
    },
    18_000,
  );
  const last = await createOne(writer);
  // Nothing of this is on its way any more.
  await waitUntil("the last of it is heard", () => mentions(hints, last).length > 0);
}

export function testDoorbell(options: () => Partial<StoreOptions>): void {
  let db: TestStore;
  let other: Store;
  beforeEach(async () => {
    db = await openTestStore(options());
    other = await db.openAnother();
  });
  afterEach(() => db.close());

  /** A job of a provider of its own, with what was heard of it: the way is open already. */
  async function heardJob(name: string) {
    await untilHeard(db.store, other);
    const hints = record(other);
    const jobId = await createOne(db.store, { terms: termsOf(name) });
    const expectHeard = (...queued: readonly boolean[]) =>
      waitUntil(`hints about the job: ${queued.join()}`, () => {
        const about = mentions(hints, jobId);
        if (about.length < queued.length) return null;
        expect(about.map((hint) => hint.queued)).toEqual(queued);
        return true;
      });
    await expectHeard(true);
    return { jobId, hints, expectHeard, claim: () => claimOne(db.store, [name]) };
  }

  test("every report of a worker is heard by another process, which learns whether an attempt may be waiting", async () => {
    const { jobId, expectHeard, claim: take } = await heardJob("own");
    const claim = await take();
    await expectHeard(true, false);
    await db.store.markRunning({ ...reportOf(claim), providerRequestId: null });
    await db.store.heartbeat({ ...reportOf(claim), progress: { fraction: 0.5, message: null } });
    await expectHeard(true, false, false, false);
    await db.store.failAttempt(failureOf(claim, { failure: { code: "BUSY", message: "", remedy: "SAME_PROVIDER" } }));
    await expectHeard(true, false, false, false, true);
    await db.store.cancelJob(cancelJobCommand(jobId));
    await db.store.completeAttempt({ ...reportOf(claim), result: "too late" });
    await expectHeard(true, false, false, false, true, false, false);
  });

  test("what owners, operators and the clock do to an attempt is heard by another process", async () => {
    const { jobId, hints, expectHeard, claim: take } = await heardJob("own");
    const first = await take();
    await loseOne(db.store, first);
    await expectHeard(true, false, false);
    await db.store.cancelAttempt(cancelAttemptCommand(first.attempt.id));
    await expectHeard(true, false, false, false);
    await db.store.retryJob(retryCommand(jobId, first.attempt.id));
    await expectHeard(true, false, false, false, true);
    const second = await claimOne(db.store, ["own"]);
    expect(second.attempt.jobId).toBe(jobId);
    await db.sql`update attempts set lease_expires_at = onejob_now() where id = ${second.attempt.id}`;
    await waitUntil("the attempt has expired", async () => (await db.store.expireAttempts(10)).length > 0);
    await expectHeard(true, false, false, false, true, false, false);
    await db.store.resolveAttempt(resolveCommand(second.attempt.id, foundFailed));
    await expectHeard(true, false, false, false, true, false, false, false);
    const before = hints.length;
    await db.store.pauseProvider({ provider: "own", reason: "Paper.", actor: operator });
    await db.store.resumeProvider({ provider: "own", actor: operator });
    await waitUntil("the resumed provider is heard of", () => hints.length > before);
    expect(hints.slice(before)).toEqual([{ jobIds: [], queued: true }]);
  });

  test("a batch is one hint with the ids of all its jobs", async () => {
    await untilHeard(db.store, other);
    const hints = record(other);
    const answers = await Promise.all(Array.from({ length: 20 }, () => db.store.createJob(createCommand())));
    const jobIds = answers.flatMap((answer) => (answer.created ? [answer.jobId] : []));
    await waitUntil("all jobs are heard of", () => jobIds.every((jobId) => mentions(hints, jobId).length > 0));
    expect(hints.map((hint) => hint.jobIds.toSorted())).toEqual([jobIds.toSorted()]);
  });

  test("a process hears of its own commits once, at once, and not again by the doorbell", async () => {
    await untilHeard(db.store, other);
    await untilHeard(other, db.store);
    const hints = record(db.store);
    const mine = await createOne(db.store);
    expect(hints).toEqual([{ jobIds: [mine], queued: true }]);
    // Hints come in the order of their commits: once the other's is here, one of the own would have come too.
    const theirs = await createOne(other);
    await waitUntil("the other store's hint", () => mentions(hints, theirs).length > 0);
    expect(hints).toEqual([
      { jobIds: [mine], queued: true },
      { jobIds: [theirs], queued: true },
    ]);
  });

  test("a heartbeat without progress, a refusal and a repeat tell nobody anything", async () => {
    await untilHeard(db.store, other);
    // It comes before all those that were made to be heard.
    const jobId = await createOne(db.store, { idempotencyKey: "once", priority: 100 });
    const before = record(other);
    const claim = await claimOne(db.store);
    await waitUntil("the claim is heard of", () => mentions(before, jobId).some((hint) => !hint.queued));
    const [mine, theirs] = [record(db.store), record(other)];
    await db.store.heartbeat({ ...reportOf(claim), progress: null });
    await createOne(db.store, { idempotencyKey: "once" });
    await db.store.completeAttempt({ ...reportOf(claim), leaseToken: "wrong", result: 1 });
    expect(mine).toEqual([]);
    const last = await createOne(db.store);
    await waitUntil("the last hint", () => mentions(theirs, last).length > 0);
    expect(mentions(theirs, jobId)).toEqual([]);
  });

  test("while all goes well no gap is told, also when a process comes and goes", async () => {
    await untilHeard(db.store, other);
    let gaps = 0;
    other.onGap(() => (gaps += 1));
    const third = await db.openAnother();
    await createOne(third);
    await third.close();
    await untilHeard(db.store, other);
    expect(gaps).toBe(0);
  });
}
