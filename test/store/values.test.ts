/** What a job carries comes back exactly as it went in, by every way of reading it: no driver, parser or column changes a value. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/domain/json.ts";
import { awkwardValues } from "../support/awkward-values.ts";
import { claimOne, createOne, reportOf } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
beforeAll(async () => {
  db = await openTestStore();
});
afterAll(() => db.close());

/** As text, so that −0, key order apart, and own `__proto__` keys count too. */
function exact(value: Json | undefined): string {
  const sorted = (node: Json | undefined): unknown => {
    if (Array.isArray(node)) return ["list", ...node.map(sorted)];
    if (typeof node !== "object" || node === null) return [typeof node, String(node)];
    return [
      "object",
      ...Object.keys(node)
        .toSorted()
        .map((key) => [key, sorted(Object.getOwnPropertyDescriptor(node, key)?.value as Json)]),
    ];
  };
  return JSON.stringify(sorted(value));
}

const page = { limit: 1, fromEnd: false, after: null, before: null, ascending: false };

describe.each(Object.entries(awkwardValues))("%s", (_, value) => {
  test("comes back as input and metadata, to its owner and to its worker", async () => {
    const idempotencyKey = crypto.randomUUID();
    const jobId = await createOne(db.store, { idempotencyKey, input: value, metadata: value });
    const claim = await claimOne(db.store);
    const { rows } = await db.store.read.jobPage({ idempotencyKey }, page);
    const [byId] = await db.store.read.jobs([jobId], "ann");
    for (const job of [byId, rows[0], await db.store.read.jobByKey("ann", idempotencyKey)]) {
      expect(exact(job?.input)).toBe(exact(value));
      expect(exact(job?.metadata)).toBe(exact(value));
    }
    expect(exact(claim.input)).toBe(exact(value));
  });

  test("comes back as a result, and is known for the same one when it is sent again", async () => {
    const jobId = await createOne(db.store);
    const report = reportOf(await claimOne(db.store));
    expect(await db.store.completeAttempt({ ...report, result: value })).toMatchObject({
      kind: "completed",
      repeated: false,
    });
    const [job] = await db.store.read.jobs([jobId], null);
    expect(exact(job?.result)).toBe(exact(value));
    expect(await db.store.completeAttempt({ ...report, result: value })).toMatchObject({
      kind: "completed",
      repeated: true,
    });
    expect(await db.store.completeAttempt({ ...report, result: [value] })).toMatchObject({ kind: "discarded" });
  });
});

test("many values in one batch come back each to its own job", async () => {
  const values = Object.values(awkwardValues);
  const jobIds = await Promise.all(values.map((input) => createOne(db.store, { input, metadata: input })));
  const jobs = await db.store.read.jobs(jobIds, null);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  for (const [index, value] of values.entries()) {
    const job = byId.get(jobIds[index]!);
    expect([exact(job?.input), exact(job?.metadata)]).toEqual([exact(value), exact(value)]);
  }
  const claims = await db.store.claimAttempts({
    workerId: "w",
    claimedBy: "w",
    providers: ["inkjet"],
    operations: null,
    limit: 100,
    claimKey: null,
  });
  await Promise.all(claims.map((claim) => db.store.completeAttempt({ ...reportOf(claim), result: claim.input })));
  for (const job of await db.store.read.jobs(jobIds, null)) expect(exact(job.result)).toBe(exact(job.input));
});

test("−0 is stored as 0, as canonical JSON has it", async () => {
  const jobId = await createOne(db.store, { input: { n: -0 } });
  const [job] = await db.store.read.jobs([jobId], null);
  expect(exact(job?.input)).toBe(exact({ n: 0 }));
  await claimOne(db.store);
});

test("a result of null fills the slot: what tells it from no result is who completed the job", async () => {
  const jobId = await createOne(db.store);
  const [before] = await db.store.read.jobs([jobId], null);
  expect(before).toMatchObject({ result: null, completedBy: null, state: "QUEUED" });
  const claim = await claimOne(db.store);
  await db.store.completeAttempt({ ...reportOf(claim), result: null });
  const [after] = await db.store.read.jobs([jobId], null);
  expect(after).toMatchObject({ result: null, completedBy: claim.attempt.id, state: "SUCCEEDED" });
  const [row] = await db.sql`select result is not null as kept from jobs where id = ${jobId}`;
  expect(row).toEqual({ kept: true });
  expect(await db.store.completeAttempt({ ...reportOf(claim), result: null })).toMatchObject({
    kind: "completed",
    repeated: true,
  });
});
