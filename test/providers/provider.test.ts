/** How providers are declared, and how a mistake in it is answered. */
import { expect, test } from "vitest";
import type { ProviderCall } from "../../src/domain/operation.ts";
import { defineProvider, externalProvider } from "../../src/providers/provider.ts";

const run = async () => ({ kind: "succeeded", result: null }) as const;

test("a provider carries out four attempts at a time unless it says otherwise", () => {
  expect(defineProvider({ name: "laser", revision: "1", run })).toMatchObject({ concurrency: 4, description: null });
  expect(defineProvider({ name: "laser", revision: "1", run, concurrency: 9 }).concurrency).toBe(9);
});

test("an external provider has no run, so that only workers carry its attempts out", () => {
  expect(externalProvider({ name: "inkjet", revision: "2", description: "By the door" })).toEqual({
    name: "inkjet",
    revision: "2",
    description: "By the door",
    concurrency: 4,
  });
});

test.each(["", "9lives", "a b", "naïve", "-x", "x".repeat(64), 5])("the name %j is refused, and is shown", (name) => {
  const declared = { name: name as string, revision: "1" };
  expect(() => externalProvider(declared)).toThrow(TypeError);
  expect(() => externalProvider(declared)).toThrow(JSON.stringify(name));
});

test.each(["", "x".repeat(201), "a\0b", undefined])("the revision %j is refused", (revision) => {
  expect(() => externalProvider({ name: "laser", revision: revision as string })).toThrow(/revision/);
});

test.each([0, -1, 1.5, Number.NaN, 10_001])("the concurrency %d is refused", (concurrency) => {
  expect(() => defineProvider({ name: "laser", revision: "1", run, concurrency })).toThrow(/concurrency/);
});

test.each([0, -1, 1.5, 1_000_001])("a limit of %d running attempts is refused", (maxRunning) => {
  expect(() => externalProvider({ name: "laser", revision: "1", maxRunning })).toThrow(/maxRunning/);
});

test.each([
  { starts: 0, perMs: 1_000 },
  { starts: 1, perMs: 99 },
  { starts: 1.5, perMs: 1_000 },
  { starts: 1, perMs: 86_400_001 },
])("the pace %j is refused", (pace) => {
  expect(() => defineProvider({ name: "laser", revision: "1", run, pace })).toThrow(/pace/);
});

test("limits are kept as they are, whoever carries the attempts out", () => {
  const limits = { maxRunning: 3, pace: { starts: 10, perMs: 1_000 } };
  expect(externalProvider({ name: "laser", revision: "1", ...limits })).toMatchObject(limits);
  expect(defineProvider({ name: "laser", revision: "1", run, ...limits })).toMatchObject(limits);
});

test("a provider without run is refused with the name of what is missing", () => {
  expect(() => defineProvider({ name: "laser", revision: "1" } as never)).toThrow(/`run`/);
});

test("an object with a state of its own keeps it", async () => {
  class Counting {
    name = "counter";
    revision = "1";
    count = 0;
    async run() {
      this.count += 1;
      return { kind: "succeeded", result: this.count } as const;
    }
  }
  const provider = defineProvider(new Counting());
  await provider.run?.({} as ProviderCall);
  expect(await provider.run?.({} as ProviderCall)).toEqual({ kind: "succeeded", result: 2 });
});
