/** What follows a failure by itself, for every remedy, number of tries and effect class; and how long the next try waits. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { effectClasses } from "../../src/domain/operation.ts";
import { backoffMs, type FailedAttempt, nextStep } from "../../src/domain/retry-policy.ts";

const retry = { maxAttempts: 3, initialDelayMs: 500, maxDelayMs: 30_000 };

function failed(changes: Partial<FailedAttempt> = {}): FailedAttempt {
  return {
    provider: "inkjet",
    remedy: "SAME_PROVIDER",
    triesByProvider: new Map([["inkjet", 1]]),
    fallbackProviders: ["laser", "plotter"],
    effectClass: "PURE",
    retry,
    ...changes,
  };
}

const tries = (inkjet: number, ...others: [string, number][]) => new Map([["inkjet", inkjet], ...others]);

describe("the wait", () => {
  test("doubles with each try, from the first delay to the greatest and not beyond", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 100].map((count) => backoffMs(retry, count))).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });

  test("is whole, within its bounds and never shorter than the one before, for any policy", () => {
    const policy = fc.record({
      maxAttempts: fc.nat(100),
      initialDelayMs: fc.nat(3_600_000),
      maxDelayMs: fc.nat(86_400_000),
    });
    fc.assert(
      fc.property(policy, fc.integer({ min: 1, max: 10_000 }), (any, count) => {
        const [now, then] = [backoffMs(any, count), backoffMs(any, count + 1)];
        return Number.isSafeInteger(now) && now >= 0 && now <= any.maxDelayMs && then >= now;
      }),
    );
  });
});

describe("SAME_PROVIDER", () => {
  test.each([
    [1, 500],
    [2, 1_000],
  ])("after try %i of 3 tries again after %i ms", (count, delayMs) => {
    expect(nextStep(failed({ triesByProvider: tries(count) }))).toEqual({
      kind: "same-provider",
      provider: "inkjet",
      delayMs,
    });
  });

  test.each([3, 4])("after try %i of 3 turns to the fallbacks, in their order", (count) => {
    expect(nextStep(failed({ triesByProvider: tries(count) }))).toEqual({
      kind: "other-provider",
      candidates: ["laser", "plotter"],
    });
  });

  test("counts the tries of each provider by themselves", () => {
    const onLaser = failed({ provider: "laser", triesByProvider: tries(3, ["laser", 1]) });
    expect(nextStep(onLaser)).toEqual({ kind: "same-provider", provider: "laser", delayMs: 500 });
  });

  test("with one attempt allowed is used up at once", () => {
    expect(nextStep(failed({ retry: { ...retry, maxAttempts: 1 } })).kind).toBe("other-provider");
  });
});

describe("OTHER_PROVIDER", () => {
  test("turns to the fallbacks at once", () => {
    expect(nextStep(failed({ remedy: "OTHER_PROVIDER" }))).toEqual({
      kind: "other-provider",
      candidates: ["laser", "plotter"],
    });
  });

  test("leaves out the providers that have been tried", () => {
    const triesByProvider = tries(1, ["laser", 2]);
    expect(nextStep(failed({ remedy: "OTHER_PROVIDER", triesByProvider }))).toEqual({
      kind: "other-provider",
      candidates: ["plotter"],
    });
  });

  test("ends the job when every fallback has been tried, or there is none", () => {
    const all = tries(1, ["laser", 1], ["plotter", 1]);
    expect(nextStep(failed({ remedy: "OTHER_PROVIDER", triesByProvider: all }))).toEqual({ kind: "none" });
    expect(nextStep(failed({ remedy: "OTHER_PROVIDER", fallbackProviders: [] }))).toEqual({ kind: "none" });
  });
});

test.each(effectClasses)("NONE ends the job, for %s too", (effectClass) => {
  expect(nextStep(failed({ remedy: "NONE", effectClass }))).toEqual({ kind: "none" });
});

test.each(effectClasses)("%s may be tried again on the same provider", (effectClass) => {
  expect(nextStep(failed({ effectClass })).kind).toBe("same-provider");
});

test.each(effectClasses)(
  "%s fails over by itself only if a second effect does no harm to find out about",
  (effectClass) => {
    const kind = effectClass === "BLIND" ? "none" : "other-provider";
    expect(nextStep(failed({ effectClass, remedy: "OTHER_PROVIDER" })).kind).toBe(kind);
    expect(nextStep(failed({ effectClass, triesByProvider: tries(3) })).kind).toBe(kind);
  },
);
