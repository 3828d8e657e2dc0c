/** The real system under concurrent clients: what four processes at two servers are answered, one server killed meanwhile, is linearisable. */
import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { createMigratedDatabase } from "../support/test-database.ts";
import { checkHistory } from "./check-history.ts";
import { type Counts, countHistory } from "./count-history.ts";
import { recordHistory } from "./record-history.ts";

const killAfter = 150;

/** What a history must have met before its check says anything. */
function whatIsMissing({ operations, overlappingCreates, unanswered, answers }: Counts): string[] {
  const needed: readonly (readonly [what: string, seen: number, atLeast: number])[] = [
    ["calls", operations, 2 * killAfter],
    ["creates of one key at once, at both servers", overlappingCreates, 10],
    ["calls without an answer", unanswered, 5],
    ["creates that met a conflict", answers["create conflict"] ?? 0, 5],
    ["results that won", answers["complete won"] ?? 0, 5],
    ["results that were discarded", answers["complete discarded"] ?? 0, 5],
    ["attempts cancelled", answers["cancelAttempt cancelled"] ?? 0, 5],
    ["retries that started an attempt", answers["retry started"] ?? 0, 2],
    ["jobs cancelled", answers["cancelJob cancelled"] ?? 0, 2],
    ["jobs read", answers["readJob job"] ?? 0, 5],
  ];
  return needed.flatMap(([what, seen, atLeast]) => (seen < atLeast ? [`${what}: ${seen} of ${atLeast}`] : []));
}

test("keys and result slots behave as registers, for four clients at two servers, one of them killed half-way", async () => {
  const database = await createMigratedDatabase();
  const seed = randomInt(2 ** 31);
  try {
    const history = await recordHistory({
      databaseUrl: database.url,
      seed,
      clients: 4,
      lanes: 2,
      isEnough: (sofar) => whatIsMissing(countHistory(sofar)).length === 0,
      killEvery: killAfter,
      restart: false,
    });
    expect(whatIsMissing(countHistory(history)), `seed ${seed}`).toEqual([]);
    expect(checkHistory(history), `seed ${seed}`).toEqual([]);
  } finally {
    await database.drop();
  }
}, 240_000);
