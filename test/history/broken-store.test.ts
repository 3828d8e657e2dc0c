/** The check finds a store that is wrong: the same clients, at servers whose creates look first and whose completions mind the state alone. */
import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { createMigratedDatabase } from "../support/test-database.ts";
import { brokenStoreFlags, disarm } from "./broken-store.ts";
import { checkHistory } from "./check-history.ts";
import type { Operation } from "./operation.ts";
import { recordHistory } from "./record-history.ts";

/**
 * Two different calls that were both told they came first. Calls that are still under way are not in the history, so that a
 * refusal of what there is so far would say nothing; no call can explain these away.
 */
function isTaken(history: readonly Operation[], kind: "created" | "won"): boolean {
  const first = new Map<string, string>();
  return history.some(({ call, answer }) => {
    if (answer?.kind !== kind) return false;
    const register = "key" in call ? call.key : call.job;
    const taker = JSON.stringify([answer, call.kind === "complete" ? call : null]);
    const other = first.get(register);
    first.set(register, taker);
    return other !== undefined && other !== taker;
  });
}

test("keys that two creates have taken and slots that two results have taken are refused", async () => {
  const database = await createMigratedDatabase();
  const refusals = (history: Parameters<typeof checkHistory>[0], register: string) =>
    checkHistory(history).filter((text) => text.startsWith(register));
  try {
    await disarm(database.url);
    const history = await recordHistory({
      databaseUrl: database.url,
      seed: randomInt(2 ** 31),
      clients: 4,
      lanes: 2,
      isEnough: (sofar) => isTaken(sofar, "created") && isTaken(sofar, "won"),
      killEvery: Number.POSITIVE_INFINITY,
      restart: false,
      nodeFlags: brokenStoreFlags,
    });
    expect(refusals(history, "key ")[0]).toContain('"kind":"created"');
    expect(refusals(history, "job ")[0]).toContain('"kind":"won"');
  } finally {
    await database.drop();
  }
}, 240_000);
