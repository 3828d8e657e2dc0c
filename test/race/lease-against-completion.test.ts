/** Leases that lapse within ten milliseconds of the completion, for 2,000 jobs: a race by time, with a sweep running against it throughout. */
import { expect, test } from "vitest";
import type { Claim, CompleteAttemptAnswer } from "../../src/store/worker-commands.ts";
import { openRace } from "../support/race.ts";
import { createCommand, reportOf, termsOf } from "../support/store-kit.ts";

const race = openRace();
const jobCount = 2_000;
const batch = 100;
const group = 20;

async function startBatch(): Promise<Claim[]> {
  const terms = termsOf("shared");
  await Promise.all(Array.from({ length: batch }, () => race.store.createJob(createCommand({ terms }))));
  const request = { workerId: "w", claimedBy: "token", providers: ["shared"], operations: null, claimKey: null };
  return race.store.claimAttempts({ ...request, limit: batch });
}

/** Leases end five milliseconds before to five after this moment; the completions are sent at once. */
async function completeAtLapse(claims: readonly Claim[]): Promise<CompleteAttemptAnswer[]> {
  await race.sql`
    update attempts a set lease_expires_at = onejob_now() + (c.ord % 11 - 5) * interval '1 millisecond'
    from unnest(${claims.map((claim) => claim.attempt.id)}::uuid[]) with ordinality as c(id, ord) where a.id = c.id`;
  return Promise.all(
    claims.map((claim) => race.store.completeAttempt({ ...reportOf(claim), result: claim.attempt.id })),
  );
}

test("every one of 2,000 completions wins, whether the sweep was faster or not, and none leaves SUCCEEDED", async () => {
  const answers: CompleteAttemptAnswer[] = [];
  let expired = 0;
  let done = false;
  const sweeps = (async () => {
    while (!done) expired += (await race.other.expireAttempts(batch)).length;
  })();
  try {
    for (let started = 0; started < jobCount; started += batch) {
      const claims = await startBatch();
      expect(claims).toHaveLength(batch);
      for (let from = 0; from < batch; from += group) {
        answers.push(...(await completeAtLapse(claims.slice(from, from + group))));
      }
    }
  } finally {
    done = true;
    await sweeps;
  }
  expect(answers.filter((answer) => answer.kind !== "completed" || answer.repeated)).toEqual([]);
  expect(answers).toHaveLength(jobCount);
  const [row] = await race.sql<{ jobs: number; won: number; late: number }[]>`
    select count(*)::int as jobs,
      count(*) filter (where j.state = 'SUCCEEDED' and j.result #>> '{}' = j.completed_by::text)::int as won,
      count(*) filter (where exists (select from job_events e where e.job_id = j.id and e.type = 'ATTEMPT_UNKNOWN'))::int as late
    from jobs j`;
  expect(row).toEqual({ jobs: jobCount, won: jobCount, late: expired });
  // Both sides of the race must have been met, or this test shows nothing.
  expect(expired).toBeGreaterThan(0);
  expect(expired).toBeLessThan(jobCount);
}, 120_000);
