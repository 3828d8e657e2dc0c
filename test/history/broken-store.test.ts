/** The check finds a store that is wrong: the same clients, at servers whose creates look first and whose completions mind the state alone. */
import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { createMigratedDatabase } from "../support/test-database.ts";
import { brokenStoreFlags, disarm } from "./broken-store.ts";
import { checkHistory } from "./check-history.ts";
import { recordHistory } from "./record-history.ts";

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
      isEnough: (sofar) => ["key ", "job "].every((register) => refusals(sofar, register).length > 0),
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
