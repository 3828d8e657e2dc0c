/** Batches of creates with the same keys in opposite order, from two processes: they never deadlock, and each key makes one job. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { countDeadlocks } from "../support/count-deadlocks.ts";
import { lineUp } from "../support/hold-job.ts";
import { openCreate } from "../support/open-create.ts";
import { openRace } from "../support/race.ts";
import { createCommand } from "../support/store-kit.ts";

const race = openRace();

test("two batches that meet at a key in their middle, from opposite ends, wait for each other in one direction only", async () => {
  const [store, other] = [await race.openAnother(), await race.openAnother()];
  for (let round = 0; round < 10; round += 1) {
    const keys = Array.from({ length: 40 }, (_, index) => `${round}-${String(index).padStart(2, "0")}-${randomUUID()}`);
    const commands = keys.map((idempotencyKey) => createCommand({ idempotencyKey }));
    const third = await openCreate(race.url, race.sql, createCommand({ idempotencyKey: keys[20] ?? "" }));
    const upward = await lineUp(race.sql, () => Promise.all(commands.map((one) => store.createJob(one))));
    const downward = await lineUp(race.sql, () =>
      Promise.all(commands.toReversed().map((one) => other.createJob(one))),
    );
    await third.rollBack();
    const ups = await upward.answer;
    const downs = (await downward.answer).toReversed();
    for (const [index, up] of ups.entries()) {
      const down = downs[index];
      expect(up.created).not.toBe(down?.created);
    }
  }
  expect(await countDeadlocks(race.sql, [store, other, race.store, race.other])).toBe(0);
  const [row] = await race.sql<{ jobs: number }[]>`select count(*)::int as jobs from jobs`;
  expect(row?.jobs).toBe(400);
});
