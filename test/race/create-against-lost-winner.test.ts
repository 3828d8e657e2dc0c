/** Ten creates wait for a winner that never commits, or that does: no id is ever answered that has no job (I1). */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { CreateJobAnswer } from "../../src/store/commands.ts";
import type { Store } from "../../src/store/store.ts";
import { lineUp } from "../support/hold-job.ts";
import { type OpenCreate, openCreate } from "../support/open-create.ts";
import { openRace } from "../support/race.ts";
import { createCommand } from "../support/store-kit.ts";

const race = openRace();
const stores: Store[] = [];

/** A process has two creating batches under way, so ten sessions take five processes. */
beforeAll(async () => {
  stores.push(race.store, race.other, await race.openAnother(), await race.openAnother(), await race.openAnother());
});

async function tenBehind(idempotencyKey: string, end: (winner: OpenCreate) => Promise<void>) {
  const winner = await openCreate(race.url, race.sql, createCommand({ idempotencyKey }));
  const waiting: Promise<CreateJobAnswer>[] = [];
  for (const store of [...stores, ...stores]) {
    const { answer } = await lineUp(race.sql, () => store.createJob(createCommand({ idempotencyKey })));
    waiting.push(answer);
  }
  await end(winner);
  const answers = await Promise.all(waiting);
  const rows = await race.sql<{ id: string }[]>`select id from jobs where idempotency_key = ${idempotencyKey}`;
  return {
    winnerId: winner.jobId,
    created: answers.filter((answer) => answer.created),
    named: new Set(answers.map((answer) => (answer.created ? answer.jobId : answer.holder.jobId))),
    stored: rows.map((row) => row.id),
  };
}

test.each([
  ["rolls back", (winner: OpenCreate) => winner.rollBack()],
  ["is killed", (winner: OpenCreate) => winner.kill()],
])("when the winner %s with ten waiting, exactly one of them creates and all name its job", async (_what, end) => {
  const { winnerId, created, named, stored } = await tenBehind(randomUUID(), end);
  expect(created).toHaveLength(1);
  expect([...named]).toEqual(stored);
  expect(stored).toHaveLength(1);
  expect(stored).not.toContain(winnerId);
});

test("when the winner commits with ten waiting, none of them creates and all name its job", async () => {
  const { winnerId, created, named, stored } = await tenBehind(randomUUID(), (winner) => winner.commit());
  expect(created).toEqual([]);
  expect([...named]).toEqual([winnerId]);
  expect(stored).toEqual([winnerId]);
});
