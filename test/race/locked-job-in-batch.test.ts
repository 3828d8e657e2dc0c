/** One locked job in a batch of 64: the other 63 are answered while it is held, and it is answered once it is let go. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Claim } from "../../src/store/worker-commands.ts";
import { holdAttempt, holdJob, lineUp } from "../support/hold-job.ts";
import { openRace, type Race } from "../support/race.ts";
import {
  cancelAttemptCommand,
  cancelJobCommand,
  createCommand,
  failureOf,
  reportOf,
  retryCommand,
  termsOf,
} from "../support/store-kit.ts";

const race = openRace();
const size = 64;

async function startMany(): Promise<Claim[]> {
  const provider = randomUUID();
  const terms = termsOf(provider);
  await Promise.all(Array.from({ length: size }, () => race.store.createJob(createCommand({ terms }))));
  const request = { workerId: "w", claimedBy: "token", providers: [provider], operations: null, claimKey: null };
  return race.store.claimAttempts({ ...request, limit: size });
}

type Send = (store: Race["store"], claim: Claim) => Promise<{ kind: string }>;

const verbs: readonly (readonly [name: string, answer: string, send: Send])[] = [
  ["completions", "completed", (store, claim) => store.completeAttempt({ ...reportOf(claim), result: 1 })],
  ["failures", "recorded", (store, claim) => store.failAttempt(failureOf(claim))],
  ["uncertain failures", "recorded", (store, claim) => store.failAttempt(failureOf(claim, { certain: false }))],
  ["running reports", "running", (store, claim) => store.markRunning({ ...reportOf(claim), providerRequestId: null })],
  ["heartbeats", "beating", (store, claim) => store.heartbeat({ ...reportOf(claim), progress: null })],
  [
    "attempts' cancellations",
    "cancelled",
    (store, claim) => store.cancelAttempt(cancelAttemptCommand(claim.attempt.id)),
  ],
  ["jobs' cancellations", "cancelled", (store, claim) => store.cancelJob(cancelJobCommand(claim.attempt.jobId))],
];

/** The held one stands in the middle; its answer comes last. */
async function expectOthersAnswered(
  claims: readonly Claim[],
  expected: string,
  send: (claim: Claim) => Promise<{ kind: string }>,
) {
  const middle = claims[size / 2];
  if (middle === undefined) throw new Error("There is no job to hold.");
  // A heartbeat asks only for the attempt's row, all others for the job's.
  const hold = () =>
    expected === "beating" ? holdAttempt(race.sql, middle.attempt.id) : holdJob(race.sql, middle.attempt.jobId);
  const held = await hold();
  const answered: string[] = [];
  const all = await lineUp(race.sql, () =>
    Promise.all(
      claims.map(async (claim) => {
        const { kind } = await send(claim);
        answered.push(claim.attempt.id);
        return kind;
      }),
    ),
  );
  // The held one waits alone in a statement of its own, so the batch without it has been answered.
  expect(answered).toHaveLength(size - 1);
  expect(answered).not.toContain(middle.attempt.id);
  await held.release();
  expect(new Set(await all.answer)).toEqual(new Set([expected]));
}

test.each(verbs)("of 64 %s in a batch, 63 are answered while one job is held", async (_name, expected, send) => {
  await expectOthersAnswered(await startMany(), expected, (claim) => send(race.store, claim));
});

test("of 64 retries in a batch, 63 are answered while one job is held", async () => {
  const claims = await startMany();
  await Promise.all(claims.map((claim) => race.store.failAttempt(failureOf(claim))));
  await expectOthersAnswered(claims, "started", ({ attempt }) =>
    race.store.retryJob(retryCommand(attempt.jobId, attempt.id)),
  );
});

test("a claim and a sweep pass by a held job and take the other 63", async () => {
  const provider = randomUUID();
  const terms = termsOf(provider);
  await Promise.all(Array.from({ length: size - 1 }, () => race.store.createJob(createCommand({ terms }))));
  const { jobId } = await race.queueJob({ terms });
  const held = await holdJob(race.sql, jobId);
  const request = { workerId: "w", claimedBy: "token", providers: [provider], operations: null, claimKey: null };
  const claims = await race.store.claimAttempts({ ...request, limit: size });
  expect(claims).toHaveLength(size - 1);
  await held.release();
  expect(await race.store.claimAttempts({ ...request, limit: size })).toHaveLength(1);
  await race.sql`update attempts set deadline_at = onejob_now() - interval '1 second' where provider = ${provider}`;
  const again = await holdJob(race.sql, jobId);
  expect(await race.other.expireAttempts(size)).toHaveLength(size - 1);
  await again.release();
  expect(await race.other.expireAttempts(size)).toMatchObject([{ jobId, cause: "DEADLINE" }]);
});
