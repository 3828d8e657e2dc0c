/** A batch that PostgreSQL refuses is split until the culprit alone gets the error: its neighbours never learn of it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { sqlStateOf } from "../../src/store/connect.ts";
import { claimOne, createCommand, createOne, failureOf, reportOf, termsOf } from "../support/store-kit.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

let db: TestStore;
beforeAll(async () => {
  db = await openTestStore();
});
afterAll(() => db.close());

async function settle<Answer>(calls: readonly Promise<Answer>[]) {
  const settled = await Promise.allSettled(calls);
  const refused = settled.flatMap((one, index) =>
    one.status === "rejected" ? [{ index, state: sqlStateOf(one.reason) }] : [],
  );
  return { answers: settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])), refused };
}

test.each([
  ["NUL in its metadata", { metadata: { note: "a\0b" } }, "22P05"],
  ["NUL in its key", { idempotencyKey: "a\0b" }, "22021"],
  ["a lone surrogate in its input", { input: "\ud800" }, "22P02"],
  ["a key that is too long", { idempotencyKey: "k".repeat(256) }, "23514"],
  ["a priority out of range", { priority: 101 }, "23514"],
])("of 21 creates at once, one with %s gets an error, and the 20 others create", async (_, bad, state) => {
  const commands = Array.from({ length: 21 }, (_unused, index) => createCommand(index === 13 ? bad : {}));
  const { answers, refused } = await settle(commands.map((command) => db.store.createJob(command)));
  expect(refused).toEqual([{ index: 13, state }]);
  expect(answers.map((answer) => answer.created)).toEqual(Array.from({ length: 20 }, () => true));
});

test("two culprits in one batch get an error each, and nothing is written for either", async () => {
  const commands = Array.from({ length: 21 }, (_, index) => createCommand(index % 20 === 0 ? { metadata: "\0" } : {}));
  const { answers, refused } = await settle(commands.map((command) => db.store.createJob(command)));
  expect(refused.map((one) => one.index)).toEqual([0, 20]);
  expect(answers).toHaveLength(19);
  for (const { idempotencyKey } of [commands[0]!, commands[20]!]) {
    expect(await db.store.read.jobByKey("ann", idempotencyKey)).toBeNull();
  }
});

test("of completions at once, a result that cannot be stored fails alone, and its attempt can still be completed", async () => {
  const terms = termsOf("plotter");
  for (let made = 0; made < 5; made += 1) await createOne(db.store, { terms });
  const claims = await db.store.claimAttempts({
    workerId: "w",
    claimedBy: "w",
    providers: ["plotter"],
    operations: null,
    limit: 5,
    claimKey: null,
  });
  const { answers, refused } = await settle(
    claims.map((claim, index) => db.store.completeAttempt({ ...reportOf(claim), result: index === 2 ? "\0" : index })),
  );
  expect(refused).toEqual([{ index: 2, state: "22P05" }]);
  expect(answers.map((answer) => answer.kind)).toEqual(Array.from({ length: 4 }, () => "completed"));
  expect(await db.store.completeAttempt({ ...reportOf(claims[2]!), result: "mended" })).toMatchObject({
    kind: "completed",
    repeated: false,
  });
});

test("reports with a token that no text can hold fail alone", async () => {
  const terms = termsOf("cutter");
  await createOne(db.store, { terms });
  const claim = await claimOne(db.store, ["cutter"]);
  await createOne(db.store, { terms });
  const other = await claimOne(db.store, ["cutter"]);
  const { answers, refused } = await settle([
    db.store.heartbeat({ ...reportOf(claim), progress: null }),
    db.store.heartbeat({ ...reportOf(other), leaseToken: "a\0", progress: null }),
  ]);
  expect(answers.map((answer) => answer.kind)).toEqual(["beating"]);
  expect(refused).toEqual([{ index: 1, state: "22021" }]);
  const failure = { code: "X", message: "\0", remedy: "NONE" } as const;
  const failures = await settle([
    db.store.failAttempt(failureOf(claim)),
    db.store.failAttempt(failureOf(other, { failure })),
  ]);
  expect(failures.answers.map((answer) => answer.kind)).toEqual(["recorded"]);
  expect(failures.refused).toEqual([{ index: 1, state: "22P05" }]);
});
