/** createJob against createJob from two processes: a key makes one job, whoever comes first and whatever else is in the batch (I1, I2). */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { lineUp } from "../support/hold-job.ts";
import { openCreate } from "../support/open-create.ts";
import { openRace } from "../support/race.ts";
import { createCommand } from "../support/store-kit.ts";

const race = openRace();

async function jobsWithKey(idempotencyKey: string): Promise<string[]> {
  const rows = await race.sql<{ id: string }[]>`select id from jobs where idempotency_key = ${idempotencyKey}`;
  return rows.map((row) => row.id);
}

const orders = ["the first process", "the second process"] as const;

/**
 * The first create has written its row and waits, with the rest of its batch, for a key that a third session holds; the
 * second create is seen waiting for the first. Then the third session rolls back.
 */
async function meet(first: (typeof orders)[number], late: { givenDigest: string; resolvedDigest: string }) {
  const [ahead, behind] = first === orders[0] ? [race.store, race.other] : [race.other, race.store];
  const key = `a-${randomUUID()}`;
  const blocker = createCommand({ idempotencyKey: `z-${key}` });
  const third = await openCreate(race.url, race.sql, blocker);
  const winner = await lineUp(race.sql, async () => {
    const [mine] = await Promise.all([
      ahead.createJob(createCommand({ idempotencyKey: key })),
      ahead.createJob(blocker),
    ]);
    return mine;
  });
  const loser = await lineUp(race.sql, () => behind.createJob(createCommand({ idempotencyKey: key, ...late })));
  await third.rollBack();
  return { key, won: await winner.answer, lost: await loser.answer };
}

test.each(orders)("with the same intent, %s creates and the other learns its job", async (first) => {
  const { key, won, lost } = await meet(first, { givenDigest: "given", resolvedDigest: "resolved" });
  if (!won.created) throw new Error("The create that came first did not create.");
  expect(lost).toEqual({
    created: false,
    holder: { jobId: won.jobId, givenDigest: "given", resolvedDigest: "resolved" },
  });
  expect(await jobsWithKey(key)).toEqual([won.jobId]);
});

test.each(orders)("with another intent, %s binds the key and the other learns what it is bound to", async (first) => {
  const { key, won, lost } = await meet(first, { givenDigest: "other", resolvedDigest: "other" });
  if (!won.created) throw new Error("The create that came first did not create.");
  expect(lost).toEqual({
    created: false,
    holder: { jobId: won.jobId, givenDigest: "given", resolvedDigest: "resolved" },
  });
  expect(await jobsWithKey(key)).toEqual([won.jobId]);
});

test("of 100 creates at once over two processes, one creates and all name its job", async () => {
  const key = randomUUID();
  const command = () => createCommand({ idempotencyKey: key });
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? race.store : race.other).createJob(command())),
  );
  const ids = answers.map((answer) => (answer.created ? answer.jobId : answer.holder.jobId));
  expect(answers.filter((answer) => answer.created)).toHaveLength(1);
  expect(new Set(ids).size).toBe(1);
  expect(await jobsWithKey(key)).toEqual([ids[0]]);
});
