/** What workers report, gathered on its way to PostgreSQL: how many statements it takes, and that every answer is true. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GatheredReports, gatherReports } from "../../src/runtime/gather-reports.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import type { Claim, Heartbeat, HeartbeatAnswer } from "../../src/store/worker-commands.ts";
import { openStatementWire, type StatementWire } from "../support/statement-wire.ts";
import { cancelJobCommand, claimOne, createOne, reportOf, termsOf } from "../support/store-kit.ts";
import { openTestStore } from "../support/test-store.ts";

let opened: Awaited<ReturnType<typeof openTestStore>>;
let wire: StatementWire;
/** What it does is counted on the wire. */
let store: Store;
beforeAll(async () => {
  opened = await openTestStore();
  wire = await openStatementWire(opened.url);
  store = await openStore({ url: wire.url, listenUrl: opened.url, poolSize: 4 });
});
afterAll(async () => {
  await store.close();
  await wire.close();
  await opened.close();
});

/** Longer than any test: what is held back is written for another reason. */
const never = 3_600_000;

async function claimed(leaseMs = never): Promise<Claim> {
  await createOne(store, { terms: { ...termsOf("inkjet"), leaseMs } });
  return claimOne(store);
}

const progressOf = (claim: Claim, fraction: number): Heartbeat => ({
  ...reportOf(claim),
  progress: { fraction, message: null },
});

async function writtenOf(claim: Claim): Promise<number | null | undefined> {
  const [attempt] = await store.read.attempts([claim.attempt.id], null);
  return attempt?.progress?.fraction;
}

async function beatsDuring(work: () => Promise<unknown>): Promise<number> {
  const statements = await wire.during(work);
  return statements.filter((statement) => statement.includes("update attempts a set lease_expires_at")).length;
}

const kinds = async (answers: readonly Promise<HeartbeatAnswer>[]) =>
  (await Promise.all(answers)).map((answer) => answer.kind);

const beating = (count: number) => Array.from({ length: count }, () => "beating");

/** Reports of 0.01, 0.02 …, of which the first is written at once and the others are held back. */
async function reportMany(reports: GatheredReports, claim: Claim, count: number) {
  await reports.heartbeat(progressOf(claim, 0.01));
  return Array.from({ length: count - 1 }, (_, index) => reports.heartbeat(progressOf(claim, (index + 2) / 100)));
}

test("of many reports within the window one statement is made, with the newest, and it answers them all", async () => {
  const [claim, reports] = [await claimed(), gatherReports(store, never)];
  const beats = await beatsDuring(async () => {
    const held = await reportMany(reports, claim, 50);
    expect(await writtenOf(claim)).toBe(0.01);
    await reports.stop();
    expect(await kinds(held)).toEqual(beating(49));
  });
  expect(beats).toBe(2);
  expect(await writtenOf(claim)).toBe(0.5);
});

test("what was reported last is written when the window ends, whether or not anything comes behind it", async () => {
  const [claim, reports] = [await claimed(), gatherReports(store, 40)];
  const held = await reportMany(reports, claim, 3);
  expect(await kinds(held)).toEqual(beating(2));
  expect(await writtenOf(claim)).toBe(0.03);
  await reports.stop();
});

test("a call without progress is carried out at once, and neither takes along nor delays what is held back", async () => {
  const [claim, reports] = [await claimed(), gatherReports(store, never)];
  const held = await reportMany(reports, claim, 2);
  const answer = await reports.heartbeat({ ...reportOf(claim), progress: null });
  expect(answer.kind).toBe("beating");
  expect(await writtenOf(claim)).toBe(0.01);
  await reports.stop();
  expect(await kinds(held)).toEqual(beating(1));
  expect(await writtenOf(claim)).toBe(0.02);
});

test("a token that is not the claim's is refused by a statement of its own, and nothing of it is ever written", async () => {
  const [claim, reports] = [await claimed(), gatherReports(store, never)];
  const held = await reportMany(reports, claim, 2);
  const foreign = { ...progressOf(claim, 0.99), leaseToken: "another" };
  for (let call = 0; call < 3; call += 1) expect((await reports.heartbeat(foreign)).kind).toBe("lease-lost");
  const elsewhere = { ...progressOf(claim, 0.98), providers: ["laser"] };
  expect((await reports.heartbeat(elsewhere)).kind).toBe("not-found");
  await reports.stop();
  expect(await kinds(held)).toEqual(beating(1));
  expect(await writtenOf(claim)).toBe(0.02);
});

test("what is held back is written before the end that the same worker reports", async () => {
  for (const end of ["complete", "fail"] as const) {
    const [claim, reports] = [await claimed(), gatherReports(store, never)];
    const held = await reportMany(reports, claim, 7);
    const policy = { termsFor: () => null, retryOf: () => null };
    const failure = { code: "JAMMED", message: "Paper jam.", remedy: "NONE" } as const;
    if (end === "complete") await reports.completeAttempt({ ...reportOf(claim), result: { pages: 1 } });
    else await reports.failAttempt({ ...reportOf(claim), certain: true, failure, effectUncertain: false, policy });
    expect(await kinds(held)).toEqual(beating(6));
    expect(await writtenOf(claim)).toBe(0.07);
    await reports.stop();
  }
});

test("who reports on a job that was cancelled meanwhile is told so by the statement that found it", async () => {
  const [claim, reports] = [await claimed(), gatherReports(store, never)];
  const held = await reportMany(reports, claim, 3);
  await store.cancelJob(cancelJobCommand(claim.attempt.jobId));
  await reports.stop();
  expect(await kinds(held)).toEqual(["closed", "closed"]);
  expect(await writtenOf(claim)).toBe(0.01);
});

test("nothing is held back for longer than a third of the lease, so that the lease outlives the window", async () => {
  const [claim, reports] = [await claimed(600), gatherReports(store, never)];
  expect(await kinds(await reportMany(reports, claim, 3))).toEqual(beating(2));
  expect(await writtenOf(claim)).toBe(0.03);
  await reports.stop();
});

test("with a window of 0 every report is a statement", async () => {
  const [claim, reports] = [await claimed(), gatherReports(store, 0)];
  const beats = await beatsDuring(async () => kinds(await reportMany(reports, claim, 4)));
  expect(beats).toBe(4);
  await reports.stop();
});

test("reports on many attempts, held back alike, go on in one statement", async () => {
  const reports = gatherReports(store, never);
  const claims: Claim[] = [];
  while (claims.length < 50) claims.push(await claimed());
  const held = (await Promise.all(claims.map((claim) => reportMany(reports, claim, 3)))).flat();
  expect(await beatsDuring(() => reports.stop())).toBe(1);
  expect(await kinds(held)).toEqual(beating(100));
});
