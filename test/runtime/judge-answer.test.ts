/** What each answer of a provider means for its attempt: certain, unclear, or nothing new. */
import { expect, test } from "vitest";
import type { Json } from "../../src/domain/json.ts";
import type { Operation } from "../../src/domain/operation.ts";
import { maxResultBytes, type Outcome } from "../../src/domain/outcome.ts";
import { judgeAnswer } from "../../src/runtime/judge-answer.ts";
import { printing } from "./print-catalog.ts";

const answered = (outcome: unknown) => ({ kind: "answered", outcome: outcome as Outcome }) as const;
const judge = (result: unknown, operation: Operation | undefined = printing) =>
  judgeAnswer(answered({ kind: "succeeded", result }), null, operation);

test("a conforming result completes the attempt, with what JSON keeps of it", async () => {
  expect(await judge({ pages: 2, note: undefined })).toEqual({ kind: "complete", result: { pages: 2 } });
});

test("a result of an operation that the configuration has dropped is taken without its schema", async () => {
  expect(await judgeAnswer(answered({ kind: "succeeded", result: "anything" }), null, undefined)).toEqual({
    kind: "complete",
    result: "anything",
  });
});

test("a complete answer that does not conform is a certain failure with an uncertain effect, and says where", async () => {
  expect(await judge({ pages: "two" })).toMatchObject({
    kind: "fail",
    certain: true,
    effectUncertain: true,
    failure: { code: "NONCONFORMING_RESULT", remedy: "NONE", message: expect.stringContaining("/pages") },
  });
});

const unreadable = new Proxy(
  {},
  {
    get() {
      throw new Error("not to be read");
    },
  },
);

test.each([
  ["a thrown object without a text", { kind: "threw", error: Object.create(null) } as const],
  ["an outcome that throws when it is read", answered(unreadable)],
  ["a failure whose message is no text", answered({ kind: "unknown", failure: { message: Object.create(null) } })],
])("%s is unclear, and never left to the lease", async (_, answer) => {
  expect(await judgeAnswer(answer, null, printing)).toMatchObject({ kind: "fail", certain: false });
});

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
let deep: Json = 1;
for (let depth = 0; depth < 100; depth += 1) deep = [deep];

test.each([
  ["NUL", { pages: 1, text: "a\0b" }],
  ["a lone surrogate", { pages: 1, text: "\uD800" }],
  ["an integer beyond 2^53", { pages: 2 ** 60 }],
  ["NaN", { pages: Number.NaN }],
  ["a bigint", { pages: 1n }],
  ["a circle", cyclic],
  ["no value", undefined],
  ["a function", () => 1],
  ["nesting over 64", deep],
  ["over 1 MiB", { pages: 1, text: "x".repeat(maxResultBytes) }],
])("a result that cannot be stored (%s) leaves the attempt unclear, with the reason", async (_, result) => {
  expect(await judge(result)).toMatchObject({
    kind: "fail",
    certain: false,
    effectUncertain: true,
    failure: { code: "UNSTORABLE_RESULT" },
  });
});

test("a check of the output that breaks is no verdict on the result", async () => {
  const broken: Operation = { ...printing, judgeOutput: () => Promise.reject(new Error("rule broke")) };
  expect(await judge({ pages: 1 }, broken)).toMatchObject({
    certain: false,
    failure: { code: "OUTPUT_CHECK_CRASHED", message: expect.stringContaining("rule broke") },
  });
});

test("failed is certain and unknown is not", async () => {
  const failure = { code: "JAM", message: "paper", remedy: "SAME_PROVIDER" };
  expect(await judgeAnswer(answered({ kind: "failed", failure }), null, printing)).toEqual({
    kind: "fail",
    certain: true,
    effectUncertain: false,
    failure,
  });
  expect(await judgeAnswer(answered({ kind: "unknown", failure }), null, printing)).toMatchObject({ certain: false });
});

test("texts of a failure are made storable and bounded, and its remedy is one that we know", async () => {
  const failure = { code: `C\0${"x".repeat(200)}`, message: `\uD800${"m".repeat(5_000)}`, remedy: "PRAY" };
  const verdict = await judgeAnswer(answered({ kind: "failed", failure }), null, printing);
  if (verdict.kind !== "fail") throw new Error("It was not judged a failure.");
  expect(verdict.failure.code).toBe(`C\uFFFD${"x".repeat(98)}`);
  expect(verdict.failure.message).toBe(`\uFFFD${"m".repeat(3_999)}`);
  expect(verdict.failure.remedy).toBe("NONE");
});

test.each([undefined, null, "ok", {}, { kind: "done" }])(
  "what is no outcome (%j) says nothing certain",
  async (outcome) => {
    expect(await judgeAnswer(answered(outcome), null, printing)).toMatchObject({
      certain: false,
      failure: { code: "PROVIDER_CRASHED" },
    });
  },
);

test("an exception says nothing certain", async () => {
  expect(await judgeAnswer({ kind: "threw", error: new Error("boom") }, null, printing)).toMatchObject({
    certain: false,
    effectUncertain: true,
    failure: { code: "PROVIDER_CRASHED", message: "boom", remedy: "NONE" },
  });
});

test("an exception after our own abort says nothing at all, but a shutdown is told", async () => {
  const threw = { kind: "threw", error: new Error("aborted") } as const;
  for (const cause of ["deadline", "closed", "lease-lost"] as const) {
    expect(await judgeAnswer(threw, cause, printing)).toEqual({ kind: "nothing" });
  }
  for (const answer of [threw, { kind: "abandoned" } as const]) {
    expect(await judgeAnswer(answer, "shutdown", printing)).toMatchObject({
      certain: false,
      failure: { code: "ABORTED" },
    });
  }
});

test("an answer that comes after our own abort counts as it is", async () => {
  const late = answered({ kind: "succeeded", result: { pages: 1 } });
  expect(await judgeAnswer(late, "deadline", printing)).toEqual({ kind: "complete", result: { pages: 1 } });
});
