/** A short simulation with every run of the tests: the seeds that have failed before, and a few more. `npm run simulate` plays as many as one likes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { readKeptSeeds } from "./kept-seeds.ts";
import { loadSystem } from "./load-system.ts";
import { openScene, type Scene } from "./open-scene.ts";
import { failureText } from "./report.ts";
import { runSeed } from "./run-seed.ts";

const steps = 200;
const fewSeeds = [1, 2, 3, 4];
/** On a loaded machine a seed takes long; no verdict hangs on it. */
const timeoutMs = 120_000;

let database: TestDatabase;
let scene: Scene;
beforeAll(async () => {
  database = await createTestDatabase();
  scene = await openScene(await loadSystem(), database.url);
});
afterAll(async () => {
  await scene.close();
  await database.drop();
});

test.each([...new Set([...readKeptSeeds(), ...fewSeeds])])(
  "model, invariants and database agree after every step of seed %s",
  async (seed) => {
    const { failure, tally } = await runSeed(scene, seed, steps);
    expect(failure === null ? "" : failureText(failure, steps)).toBe("");
    expect(tally.steps).toBe(steps);
  },
  timeoutMs,
);
