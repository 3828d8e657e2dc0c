/** What cannot be stored unaltered is found wherever it hides, with a pointer to it, and no shape of input overwhelms the search. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Json, maxNesting, pointerStep, storageFaults, surelyExceeds } from "../../src/domain/json.ts";

const pathsOf = (value: unknown) => storageFaults(value, "/input").map((issue) => issue.path);

/** `depth` containers around a number, built without recursion. */
function nested(depth: number, wrap: (inner: Json) => Json): Json {
  let value: Json = 1;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

const unstorable: [string, unknown, RegExp][] = [
  ["NUL in a string", "a\0b", /U\+0000/],
  ["a lone high surrogate", "a\ud800", /surrogate/],
  ["a lone low surrogate", "\udc00a", /surrogate/],
  ["surrogates the wrong way round", "\udc00\ud800", /surrogate/],
  ["an integer beyond 2^53−1", 2 ** 53, /integer/],
  ["an integer beyond −(2^53−1)", -(2 ** 53), /integer/],
  ["9007199254740993 as it is parsed", JSON.parse("9007199254740993"), /integer/],
  ["1e21, an integer", 1e21, /integer/],
  ["1e400 as it is parsed", JSON.parse("1e400"), /double/],
  ["infinity", Number.NEGATIVE_INFINITY, /double/],
  ["not a number", Number.NaN, /double/],
  ["undefined", undefined, /undefined/],
  ["a bigint", 1n, /bigint/],
  ["a function", () => 1, /function/],
];

describe("found", () => {
  test.each(unstorable)("%s, alone, in a list and under a key", (_, value, message) => {
    for (const [holder, path] of [
      [value, "/input"],
      [[1, value], "/input/1"],
      [{ a: { "b/c": [value] } }, "/input/a/b~1c/0"],
    ] as const) {
      expect(storageFaults(holder, "/input")).toEqual([{ path, message: expect.stringMatching(message) }]);
    }
  });

  test.each(["a\0b", "\ud800"])("key %j", (key) => {
    expect(storageFaults({ a: { [key]: 1 } }, "/input")).toEqual([
      { path: `/input/a/${key}`, message: expect.stringMatching(/key/) },
    ]);
  });

  test("a fault under a key __proto__, which is data like any other", () => {
    const value = JSON.parse('{"__proto__":{"a":"\\u0000"},"constructor":"\\ud800"}') as unknown;
    expect(pathsOf(value)).toEqual(["/input/__proto__/a", "/input/constructor"]);
  });

  test("several faults in the order of the text, and no more than asked for", () => {
    const value = { z: "\0", a: [2 ** 60, 1, "\0"] };
    expect(pathsOf(value)).toEqual(["/input/z", "/input/a/0", "/input/a/2"]);
    expect(
      storageFaults(
        Array.from({ length: 1_000 }, () => "\0"),
        "",
        20,
      ),
    ).toHaveLength(20);
  });

  test("faults of keys in the order of the text too, and no more than asked for", () => {
    expect(pathsOf({ "a\0": 1, "b\0": "\0", c: 1 })).toEqual(["/input/a\0", "/input/b\0", "/input/b\0"]);
    const manyKeys = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${index}k\0`, "\0"]));
    expect(storageFaults(manyKeys, "", 21)).toHaveLength(21);
  });
});

describe("not found", () => {
  test.each([
    null,
    true,
    "",
    "🖨️",
    0,
    -0,
    1.5,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    Number.MIN_VALUE,
    [],
    {},
  ])("%j is storable", (value) => {
    expect(storageFaults(value, "")).toEqual([]);
  });

  test("own keys __proto__ and constructor are ordinary data", () => {
    expect(pathsOf(JSON.parse('{"__proto__":{"a":1},"constructor":2}'))).toEqual([]);
  });
});

describe("nesting", () => {
  const wraps: [string, (inner: Json) => Json][] = [
    ["lists", (inner) => [inner]],
    ["objects", (inner) => ({ a: inner })],
  ];

  test.each(wraps)("of %s is storable down to the limit and not beyond", (_, wrap) => {
    expect(storageFaults(nested(maxNesting, wrap), "")).toEqual([]);
    expect(storageFaults(nested(maxNesting + 1, wrap), "")).toEqual([
      { path: expect.any(String), message: expect.stringMatching(/nested/) },
    ]);
  });

  test.each([5_000, 100_000])("%i deep is refused once, with a pointer to where it gets too deep", (depth) => {
    for (const [, wrap] of wraps) {
      const issues = storageFaults(nested(depth, wrap), "/input");
      expect(issues).toHaveLength(1);
      expect(issues[0]?.path.split("/")).toHaveLength(2 + maxNesting);
    }
  });
});

describe("any JSON", () => {
  const json = fc.jsonValue({ maxDepth: 4, stringUnit: "grapheme" });

  test("with one fault planted anywhere has exactly that fault, at exactly that place", () => {
    const step = fc.oneof(fc.string({ unit: "grapheme", maxLength: 5 }), fc.nat({ max: 3 }));
    const fault = fc.constantFrom<unknown>("x\0", "\ud800", 2 ** 53, Number.NaN);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), fault, (steps, planted) => {
        const holder = steps.toReversed().reduce<unknown>((inner, at) => {
          if (typeof at === "number") return [...Array.from({ length: at }, () => "fine"), inner, null];
          return Object.defineProperty({ other: true }, at, { value: inner, enumerable: true, configurable: true });
        }, planted);
        expect(pathsOf(holder)).toEqual([`/input${steps.map(pointerStep).join("")}`]);
      }),
    );
  });

  test("without faults has none, however it looks", () => {
    const isStorable = (value: unknown) => JSON.stringify(value).match(/\d{16}|\\u0000|e\+/) === null;
    fc.assert(fc.property(json.filter(isStorable), (value) => storageFaults(value, "").length === 0));
  });
});

describe("a value that surely exceeds a size", () => {
  const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

  test("is never one that has the size or less", () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => !surelyExceeds(value, size(value))));
  });

  test.each<[string, unknown]>([
    ["numbers", Array.from({ length: 1_000 }, () => 0)],
    ["keys", Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 0]))],
    ["texts", ["x".repeat(10_000), "y"]],
    ["lists in lists", nested(maxNesting, (inner) => [inner])],
  ])("is found among %s, at a quarter of its size", (_what, value) => {
    expect(surelyExceeds(value, size(value) / 4)).toBe(true);
  });

  test("is not looked for beyond a nesting that somebody else refuses", () => {
    const deep = nested(100_000, (inner) => [inner]);
    expect(surelyExceeds(deep, 1_000, maxNesting)).toBe(false);
    expect(surelyExceeds(deep, 1_000)).toBe(true);
  });
});

test("a pointer's step escapes what pointers are made of, and nothing else", () => {
  expect([pointerStep("a/b"), pointerStep("a~b"), pointerStep("~1"), pointerStep(""), pointerStep(7)]).toEqual([
    "/a~1b",
    "/a~0b",
    "/~01",
    "/",
    "/7",
  ]);
});
