/**
 * Random documents get no internal error, whoever sends them and however: some hundreds in every test run, always the same.
 * `npm run fuzz` sends 5,000 others, or as many as one likes; `npm run fuzz -- --help` says how. A failure prints the
 * document, its variables, the answer and the command that sends the same again: `npm run fuzz -- --seed S --path P` begins
 * there in a fresh world; where what came before matters, `npm run fuzz -- --seed S --runs N` repeats all of it.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { type FuzzReport, runFuzz } from "./run-fuzz.ts";

const runs = 250;

let database: TestDatabase;
let report: FuzzReport;
beforeAll(async () => {
  database = await createMigratedDatabase();
  report = await runFuzz({ databaseUrl: database.url, runs, seed: 20_260_701 });
}, 240_000);
afterAll(() => database.drop());

it(`no call of ${runs} gets an internal error, an error without a code or a broken answer, or leaves a broken row`, () => {
  expect(report.failure ?? "").toBe("");
});

it("the calls reach the fields that there are, by every transport: most of them are no nonsense", () => {
  const { asked, answeredData, fields } = report.tally;
  const total = (of: Record<string, number>) => Object.values(of).reduce((sum, count) => sum + count, 0);
  expect(total(asked)).toBe(runs);
  expect(total(answeredData)).toBeGreaterThan(runs / 5);
  expect(Object.keys(answeredData).map((name) => name.split(" ")[0])).toEqual(
    expect.arrayContaining(["query", "mutation", "subscription"]),
  );
  expect(Object.keys(fields).length).toBeGreaterThan(20);
});
