/** Claims are fair between owners: they are served in turn, whatever one of them has waiting and whatever priority it gives itself. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { CreateJob } from "../../src/store/commands.ts";
import { emptyTables } from "../support/empty-tables.ts";
import { holdJob } from "../support/hold-job.ts";
import { createCommand } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
beforeAll(async () => {
  db = await openTestStore();
});
beforeEach(() => emptyTables(db.sql));
afterAll(() => db.close());

let providers = 0;
/** Each test on a provider of its own: a store remembers whose turn it was. */
function freshProvider(): string {
  providers += 1;
  return `printer-${providers}`;
}

async function create(provider: string, ownerId: string, count: number, changes: Partial<CreateJob> = {}) {
  const terms = { ...createCommand().terms, provider };
  const answers = await Promise.all(
    Array.from({ length: count }, () => db.store.createJob(createCommand({ ownerId, terms, ...changes }))),
  );
  return answers.map((answer) => (answer.created ? answer.jobId : answer.holder.jobId));
}

async function claimedOwners(provider: string, limit: number): Promise<string[]> {
  const claims = await db.store.claimAttempts({
    workerId: "w",
    claimedBy: "token",
    providers: [provider],
    operations: null,
    limit,
    claimKey: null,
  });
  const jobs = await db.store.read.jobs(
    claims.map((claim) => claim.attempt.jobId),
    null,
  );
  const ownerOf = new Map(jobs.map((job) => [job.id, job.ownerId]));
  return claims.map((claim) => ownerOf.get(claim.attempt.jobId) ?? "");
}

test("one at a time, the owners come in turn, and one with a thousand jobs is no turn ahead", async () => {
  const provider = freshProvider();
  await create(provider, "flood", 1_000);
  await create(provider, "ann", 2);
  await create(provider, "zoe", 1);
  const served: string[] = [];
  for (let claim = 0; claim < 6; claim += 1) served.push(...(await claimedOwners(provider, 1)));
  expect(served).toEqual(["ann", "flood", "zoe", "ann", "flood", "flood"]);
});

test("the highest priority puts no owner ahead of another, and orders that owner's own", async () => {
  const provider = freshProvider();
  const [low] = await create(provider, "pushy", 1, { priority: -100 });
  const high = await create(provider, "pushy", 50, { priority: 100 });
  await create(provider, "zoe", 1, { priority: -100 });
  expect(await claimedOwners(provider, 1)).toEqual(["pushy"]);
  expect(await claimedOwners(provider, 1)).toEqual(["zoe"]);
  expect(await claimedOwners(provider, high.length - 1)).toHaveLength(high.length - 1);
  const waiting = await db.sql<{ jobId: string }[]>`select job_id as "jobId" from attempts where waiting`;
  expect(waiting.map((row) => row.jobId)).toEqual([low]);
});

test("a claim of many is shared out equally, and what one owner does not need goes to the others", async () => {
  const provider = freshProvider();
  await create(provider, "ann", 2);
  await create(provider, "bob", 40);
  await create(provider, "cem", 40);
  const served = await claimedOwners(provider, 30);
  const shareOf = (owner: string) => served.filter((one) => one === owner).length;
  expect([shareOf("ann"), shareOf("bob"), shareOf("cem")]).toEqual([2, 14, 14]);
});

test("a claim of many finds everything, with more owners than it has places and with a single one", async () => {
  const provider = freshProvider();
  for (const owner of ["a", "b", "c", "d", "e"]) await create(provider, owner, 2);
  expect(await claimedOwners(provider, 3)).toEqual(["a", "b", "c"]);
  expect(await claimedOwners(provider, 3)).toEqual(["d", "e", "a"]);
  expect((await claimedOwners(provider, 10)).toSorted()).toEqual(["b", "c", "d", "e"]);
});

test("with more due than are looked at one by one, owners still come in turn and everything is found", async () => {
  const provider = freshProvider();
  await create(provider, "flood", 400);
  await create(provider, "later", 300, { notBefore: new Date("2999-01-01T00:00:00Z") });
  await create(provider, "zoe", 3);
  expect(await claimedOwners(provider, 4)).toEqual(["flood", "flood", "zoe", "zoe"]);
  const all: string[] = [];
  for (let got = [""]; got.length > 0; all.push(...got)) got = await claimedOwners(provider, 100);
  expect(all.toSorted()).toEqual([...Array.from({ length: 398 }, () => "flood"), "zoe"]);
});

test("owners with nothing due are passed by", async () => {
  const provider = freshProvider();
  await create(provider, "ann", 3, { notBefore: new Date("2999-01-01T00:00:00Z") });
  await create(provider, "bob", 1, { operation: "scan", notBefore: new Date("2999-01-01T00:00:00Z") });
  await create(provider, "cem", 1);
  expect(await claimedOwners(provider, 1)).toEqual(["cem"]);
  expect(await claimedOwners(provider, 1)).toEqual([]);
});

test("an owner whose jobs are held by others does not hold up the next one", async () => {
  const provider = freshProvider();
  const [held] = await create(provider, "ann", 1);
  await create(provider, "bob", 1);
  const row = await holdJob(db.sql, held!);
  expect(await claimedOwners(provider, 1)).toEqual(["bob"]);
  await row.release();
  expect(await claimedOwners(provider, 1)).toEqual(["ann"]);
});
