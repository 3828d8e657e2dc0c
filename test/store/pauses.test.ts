/** Pausing and resuming a provider in the store, over two processes: what is claimed, who is woken, and what is recorded. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openClaimDesk } from "../../src/runtime/claim-desk.ts";
import type { Hint, Store } from "../../src/store/store.ts";
import { keepLog } from "../runtime/print-jobs.ts";
import { lineUp } from "../support/hold-job.ts";
import { claimOne, createOne, operator, termsOf } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";

let db: TestStore;
let other: Store;
beforeAll(async () => {
  db = await openTestStore();
  other = await db.openAnother();
});
afterAll(() => db.close());

const olaf = { cause: "OPERATOR", name: "olaf" } as const;
const pauseBy = (actor: typeof operator | typeof olaf, provider: string, reason: string) => ({
  provider,
  reason,
  actor,
});
const claimOf = (provider: string) => ({
  workerId: "worker-1",
  claimedBy: "worker-token",
  providers: [provider],
  operations: null,
  limit: 1,
  claimKey: null,
});

async function settingOf(provider: string) {
  const [row] =
    await db.sql`select paused_at, paused_by, pause_reason from provider_settings where provider = ${provider}`;
  return row;
}

async function actsOn(provider: string): Promise<string[]> {
  const rows = await db.sql<{ act: string }[]>`
    select actor || ' ' || action || coalesce(': ' || reason, '') as act from audit_log
    where target_id = ${`prov_${provider}`} order by at, id`;
  return rows.map((row) => row.act);
}

async function queueOn(provider: string): Promise<string> {
  return await createOne(db.store, { terms: termsOf(provider), fallbackProviders: [] });
}

test("a paused provider's attempts are claimed in no process, others' are, and a resume gives them back", async () => {
  const [paused, open] = [randomUUID(), randomUUID()];
  await queueOn(paused);
  await queueOn(open);
  expect(await db.store.pauseProvider(pauseBy(operator, paused, "paper"))).toEqual({ kind: "paused", repeated: false });
  for (const store of [db.store, other]) expect(await store.claimAttempts(claimOf(paused))).toEqual([]);
  expect(await db.store.claimAttempts(claimOf(open))).toHaveLength(1);
  await other.resumeProvider({ provider: paused, actor: operator });
  expect(await db.store.claimAttempts(claimOf(paused))).toHaveLength(1);
});

test("an attempt under way goes on while its provider is paused", async () => {
  const provider = randomUUID();
  await queueOn(provider);
  const claim = await claimOne(db.store, [provider]);
  await db.store.pauseProvider(pauseBy(operator, provider, "paper"));
  const report = { attemptId: claim.attempt.id, leaseToken: claim.leaseToken, providers: null, actor: operator };
  expect(await db.store.completeAttempt({ ...report, result: 1 })).toMatchObject({ kind: "completed" });
});

test("asked twice it is paused once: who was first, and why, is kept, and one act is recorded", async () => {
  const provider = randomUUID();
  await db.store.pauseProvider(pauseBy(operator, provider, "paper"));
  const before = await settingOf(provider);
  expect(await other.pauseProvider(pauseBy(olaf, provider, "ink"))).toEqual({ kind: "paused", repeated: true });
  expect(await settingOf(provider)).toEqual(before);
  expect(before).toMatchObject({ paused_by: "olga", pause_reason: "paper" });
  expect(await actsOn(provider)).toEqual(["olga pauseProvider: paper"]);
});

test("of two pauses at once the first one's reason stands", async () => {
  const provider = randomUUID();
  await db.store.pauseProvider(pauseBy(operator, provider, "before"));
  await db.store.resumeProvider({ provider, actor: operator });
  let pauses: Promise<unknown>[] = [];
  await db.sql.begin(async (session) => {
    await session`select from provider_settings where provider = ${provider} for update`;
    const first = await lineUp(db.sql, () => db.store.pauseProvider(pauseBy(operator, provider, "paper")));
    const second = await lineUp(db.sql, () => other.pauseProvider(pauseBy(olaf, provider, "ink")));
    pauses = [first.answer, second.answer];
  });
  expect(await Promise.all(pauses)).toEqual([
    { kind: "paused", repeated: false },
    { kind: "paused", repeated: true },
  ]);
  expect(await settingOf(provider)).toMatchObject({ paused_by: "olga", pause_reason: "paper" });
});

test("a resume of what is not paused changes and records nothing", async () => {
  const provider = randomUUID();
  expect(await db.store.resumeProvider({ provider, actor: operator })).toEqual({ kind: "resumed", repeated: true });
  expect(await settingOf(provider)).toBeUndefined();
  await db.store.pauseProvider(pauseBy(operator, provider, "paper"));
  expect(await db.store.resumeProvider({ provider, actor: operator })).toEqual({ kind: "resumed", repeated: false });
  expect(await db.store.resumeProvider({ provider, actor: operator })).toEqual({ kind: "resumed", repeated: true });
  expect(await settingOf(provider)).toEqual({ paused_at: null, paused_by: null, pause_reason: null });
  expect(await actsOn(provider)).toEqual(["olga pauseProvider: paper", "olga resumeProvider"]);
});

test("a resume wakes waiting claims in its own process and in others, without a poll", async () => {
  const provider = randomUUID();
  await queueOn(provider);
  await queueOn(provider);
  await db.store.pauseProvider(pauseBy(operator, provider, "paper"));
  const heard: Hint[] = [];
  const unsubscribe = other.onHint((hint) => heard.push(hint));
  const desks = [db.store, other].map((store) => openClaimDesk({ store, log: keepLog(), pollMs: 3_600_000 }));
  const waiting = desks.map((desk) => desk.claim(claimOf(provider), 15_000));
  await waitUntil("both claims wait", async () => desks.every((desk) => desk.waitingCount() === 1));
  await db.store.resumeProvider({ provider, actor: operator });
  for (const claims of await Promise.all(waiting)) expect(claims).toHaveLength(1);
  expect(heard).toContainEqual({ jobIds: [], queued: true });
  unsubscribe();
  await Promise.all(desks.map((desk) => desk.stop()));
});
