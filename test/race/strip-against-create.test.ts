/** Retention's stripping against createJob with the same key, in both orders: the key goes on naming its job, and another intent stays a conflict (I1, I2). */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { lineUp } from "../support/hold-job.ts";
import { openCreate } from "../support/open-create.ts";
import { openRace } from "../support/race.ts";
import { cancelJobCommand, createCommand, reportOf } from "../support/store-kit.ts";
import { stripJob } from "../support/strip-job.ts";

const race = openRace();

/** A closed job under a key of its own; for another intent, its digests are others. */
async function closedJob(end: "SUCCEEDED" | "CANCELLED") {
  const idempotencyKey = `a-${randomUUID()}`;
  const { jobId, claim } = await race.startJob({ idempotencyKey });
  if (end === "CANCELLED") await race.store.cancelJob(cancelJobCommand(jobId));
  else await race.store.completeAttempt({ ...reportOf(claim), result: "page" });
  return { jobId, idempotencyKey, held: { jobId, givenDigest: "given", resolvedDigest: "resolved" } };
}

const cases = (["SUCCEEDED", "CANCELLED"] as const).flatMap((end) =>
  (["given", "other"] as const).map((intent) => [end, intent] as const),
);

async function expectStripped(jobId: string, idempotencyKey: string): Promise<void> {
  const [job] = await race.sql`select input, result, purged_at is not null as purged from jobs where id = ${jobId}`;
  expect(job).toEqual({ input: null, result: null, purged: true });
  const rows = await race.sql`select id from jobs where idempotency_key = ${idempotencyKey}`;
  expect([...rows]).toEqual([{ id: jobId }]);
}

test.each(cases)(
  "a create behind the stripping of a %s job, with the intent %s, learns whose key it is",
  async (end, intent) => {
    const { jobId, idempotencyKey, held } = await closedJob(end);
    const digests = { givenDigest: intent, resolvedDigest: intent };
    const { answer } = await race.sql.begin(async (session) => {
      await stripJob(session, jobId);
      return lineUp(race.sql, () => race.store.createJob(createCommand({ idempotencyKey, ...digests })));
    });
    expect(await answer).toEqual({ created: false, holder: held });
    await expectStripped(jobId, idempotencyKey);
  },
);

test.each(cases)(
  "a create that met the key of a %s job before its stripping, with the intent %s, learns whose it is after it",
  async (end, intent) => {
    const { jobId, idempotencyKey, held } = await closedJob(end);
    const digests = { givenDigest: intent, resolvedDigest: intent };
    // The batch has found the key taken and waits for the next one; it will read who holds it only after the stripping.
    const blocker = createCommand({ idempotencyKey: `z-${randomUUID()}` });
    const third = await openCreate(race.url, race.sql, blocker);
    const create = await lineUp(race.sql, async () => {
      const [mine] = await Promise.all([
        race.store.createJob(createCommand({ idempotencyKey, ...digests })),
        race.store.createJob(blocker),
      ]);
      return mine;
    });
    await race.sql.begin((session) => stripJob(session, jobId));
    await third.rollBack();
    expect(await create.answer).toEqual({ created: false, holder: held });
    await expectStripped(jobId, idempotencyKey);
  },
);
