/** Several locked jobs in a batch: none of them holds up another, and together they leave connections to everybody else. */
import { expect, test } from "vitest";
import type { Claim } from "../../src/store/worker-commands.ts";
import { type Held, holdJob, lineUp } from "../support/hold-job.ts";
import { openRace } from "../support/race.ts";
import { reportOf } from "../support/store-kit.ts";

const race = openRace();

async function startMany(count: number): Promise<Claim[]> {
  const started = await Promise.all(Array.from({ length: count }, () => race.startJob()));
  return started.map(({ claim }) => claim);
}

const complete = (claim: Claim) => race.store.completeAttempt({ ...reportOf(claim), result: 1 });

/** Each job held by a session of its own; the calls are all sent at once, so that one batch takes them. */
async function holdAll(claims: readonly Claim[]): Promise<Held[]> {
  const held: Held[] = [];
  for (const { attempt } of claims) held.push(await holdJob(race.sql, attempt.jobId));
  return held;
}

test("of two locked jobs in a batch, the second is answered as soon as it is let go, while the first is held", async () => {
  const claims = await startMany(2);
  const [first, second] = await holdAll(claims);
  const [ofFirst, ofSecond] = claims.map((claim) => () => complete(claim));
  if (!first || !second || !ofFirst || !ofSecond) throw new Error("Two jobs were to be held.");
  const answers: Promise<{ kind: string }>[] = [];
  await lineUp(race.sql, async () => {
    answers.push(ofFirst(), ofSecond());
    await Promise.all(answers);
  });
  await second.release();
  expect(await answers[1]).toMatchObject({ kind: "completed" });
  await first.release();
  expect(await answers[0]).toMatchObject({ kind: "completed" });
});

test("however many jobs are locked, calls about others are answered, and the log can be read", async () => {
  const claims = await startMany(6);
  const [free, ...locked] = claims;
  if (free === undefined) throw new Error("There is no job to complete.");
  const held = await holdAll(locked);
  const { answer } = await lineUp(race.sql, () => Promise.all(locked.map(complete)));
  expect(await complete(free)).toMatchObject({ kind: "completed" });
  expect(await race.store.read.events([{ jobId: free.attempt.jobId, number: 0 }], 10)).toHaveLength(5);
  for (const one of held) await one.release();
  expect(new Set((await answer).map(({ kind }) => kind))).toEqual(new Set(["completed"]));
});
