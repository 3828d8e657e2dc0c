/** Time is the database's: deadlines, leases, waits, expiries and events follow onejob_now(), whatever this process's clock says. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { certify } from "../support/certify.ts";
import { emptyTables } from "../support/empty-tables.ts";
import { shiftClock } from "../support/shift-clock.ts";
import { claimOne, createOne, failureOf, loseOne, reportOf, retryCommand, termsOf } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
beforeAll(async () => {
  db = await openTestStore();
});
beforeEach(() => emptyTables(db.sql));
afterAll(() => db.close());

async function trueTime(): Promise<number> {
  const [row] = await db.sql<{ now: Date }[]>`select clock_timestamp() as now`;
  return row!.now.getTime();
}

const hourMs = 3_600_000;
const minuteMs = 60_000;

function expectAhead(at: Date | null | undefined, byMs: number, now: number): void {
  expect(Math.abs((at?.getTime() ?? 0) - now - byMs)).toBeLessThan(minuteMs);
}

async function eventsOf(jobId: string) {
  return db.store.read.events([{ jobId, number: 0 }], 100);
}

test("nothing is overdue before its time, and a deadline lapses when the database's clock says so", async () => {
  await createOne(db.store, {
    terms: { ...termsOf("inkjet"), attemptTimeoutMs: 10 * minuteMs, leaseMs: 30 * minuteMs },
  });
  const claim = await claimOne(db.store);
  expect(await db.store.expireAttempts(10)).toEqual([]);
  await shiftClock(db.sql, "9 minutes");
  expect(await db.store.expireAttempts(10)).toEqual([]);
  await shiftClock(db.sql, "11 minutes");
  const { id: attemptId, jobId } = claim.attempt;
  expect(await db.store.expireAttempts(10)).toEqual([{ attemptId, jobId, cause: "DEADLINE" }]);
  expect((await db.store.read.attempts([attemptId], null))[0]).toMatchObject({
    state: "UNKNOWN",
    effectUncertain: true,
    leaseExpiresAt: null,
    failure: { code: "DEADLINE_EXCEEDED" },
  });
});

test("a lease lapses before the deadline where it is shorter, and the cause tells which", async () => {
  await createOne(db.store, { terms: { ...termsOf("inkjet"), attemptTimeoutMs: hourMs, leaseMs: 10 * minuteMs } });
  const claim = await claimOne(db.store);
  await shiftClock(db.sql, "11 minutes");
  expect(await db.store.expireAttempts(10)).toMatchObject([{ attemptId: claim.attempt.id, cause: "LEASE" }]);
  const [attempt] = await db.store.read.attempts([claim.attempt.id], null);
  expect(attempt?.failure?.code).toBe("LEASE_EXPIRED");
  expect((await eventsOf(claim.attempt.jobId)).at(-1)).toMatchObject({
    type: "ATTEMPT_UNKNOWN",
    cause: "LEASE",
    actor: null,
  });
});

test("a heartbeat extends the lease from the database's now, and never the deadline", async () => {
  await createOne(db.store, {
    terms: { ...termsOf("inkjet"), attemptTimeoutMs: 20 * minuteMs, leaseMs: 10 * minuteMs },
  });
  const claim = await claimOne(db.store);
  await shiftClock(db.sql, "9 minutes");
  const beat = await db.store.heartbeat({ ...reportOf(claim), progress: null });
  expect(beat).toMatchObject({ kind: "beating", leaseMs: 10 * minuteMs });
  expectAhead(beat.kind === "beating" ? beat.leaseExpiresAt : null, 19 * minuteMs, await trueTime());
  await shiftClock(db.sql, "18 minutes");
  expect(await db.store.expireAttempts(10)).toEqual([]);
  await db.store.heartbeat({ ...reportOf(claim), progress: null });
  await shiftClock(db.sql, "21 minutes");
  expect(await db.store.expireAttempts(10)).toMatchObject([{ cause: "DEADLINE" }]);
});

test("the sweep takes no more than its limit, and the rest the next time", async () => {
  for (let made = 0; made < 3; made += 1) await createOne(db.store);
  for (let made = 0; made < 3; made += 1) await claimOne(db.store);
  await shiftClock(db.sql, "1 hour");
  expect(await db.store.expireAttempts(2)).toHaveLength(2);
  expect(await db.store.expireAttempts(2)).toHaveLength(1);
  expect(await db.store.expireAttempts(2)).toEqual([]);
});

test("every instant that is written follows the database's clock, for events too", async () => {
  await shiftClock(db.sql, "5 hours");
  const now = await trueTime();
  const jobId = await createOne(db.store);
  const first = await claimOne(db.store);
  await db.store.markRunning({ ...reportOf(first), providerRequestId: null });
  await db.store.heartbeat({ ...reportOf(first), progress: { fraction: 0.5, message: null } });
  await loseOne(db.store, first);
  await db.store.failAttempt(failureOf(first));
  await db.store.retryJob(retryCommand(jobId, first.attempt.id));
  const second = await claimOne(db.store);
  await db.store.completeAttempt({ ...reportOf(second), result: 1 });
  await db.store.completeAttempt({ ...reportOf(first), result: 2 });
  const [job] = await db.store.read.jobs([jobId], null);
  const attempts = await db.store.read.attemptsOfJobs([jobId]);
  const events = await eventsOf(jobId);
  expect(events).toHaveLength(12);
  const instants = [
    job?.createdAt,
    job?.updatedAt,
    job?.closedAt,
    ...attempts.flatMap((one) => [
      one.createdAt,
      one.runAt,
      one.stateChangedAt,
      one.startedAt,
      one.finishedAt,
      one.deadlineAt,
    ]),
    attempts[0]?.lateResultAt,
    attempts[0]?.progress?.updatedAt,
    ...events.map((event) => event.at),
  ];
  for (const at of instants) expectAhead(at, 5 * hourMs, now + minuteMs / 2);
});

test("the log's instants never run backwards, and a change has one instant everywhere", async () => {
  const jobId = await createOne(db.store);
  const claim = await claimOne(db.store);
  await db.store.completeAttempt({ ...reportOf(claim), result: 1 });
  const events = await eventsOf(jobId);
  const at = events.map((event) => event.at.getTime());
  expect(at).toEqual(at.toSorted((left, right) => left - right));
  const [job] = await db.store.read.jobs([jobId], null);
  const [attempt] = await db.store.read.attemptsOfJobs([jobId]);
  for (const same of [job?.closedAt, job?.updatedAt, attempt?.finishedAt, attempt?.stateChangedAt])
    expect(same).toEqual(events.at(-1)?.at);
  expect(attempt?.startedAt).toEqual(events.find((event) => event.type === "ATTEMPT_STARTING")?.at);
});

test("a certification expires by the database's clock, when read and when it is to open the gate", async () => {
  const id = await certify(db.sql, { expiresIn: "30 minutes" });
  const question = { ...termsOf("laser"), operation: "print" };
  expect(await db.store.read.gates([question])).toEqual([{ open: true, reason: null, certificationId: id }]);
  await shiftClock(db.sql, "31 minutes");
  expect(await db.store.read.gates([question])).toEqual([{ open: false, reason: "EXPIRED", certificationId: id }]);
  expect((await db.store.read.certifications([id]))[0]?.status).toBe("EXPIRED");
});
