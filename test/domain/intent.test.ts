/** When two creates mean the same, pair by pair: the digests, what they leave out, and where a conflict says that they differ. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonicalJson,
  differencesBetween,
  digestIntent,
  type GivenIntent,
  intentDifferences,
  keyFaults,
  resolveIntent,
} from "../../src/domain/intent.ts";
import type { Json } from "../../src/domain/json.ts";

const parse = (text: string) => JSON.parse(text) as Json;
const given = (input: Json, rest: Partial<GivenIntent> = {}): GivenIntent => ({ operation: "print", input, ...rest });
const defaults = ["inkjet", "laser"];

/** As the store decides it: a repeat is the same intent if either digest matches. */
function isSame(left: GivenIntent, right: GivenIntent): boolean {
  const resolved = (intent: GivenIntent) => digestIntent(resolveIntent(intent, defaults));
  return digestIntent(left) === digestIntent(right) || resolved(left) === resolved(right);
}

const same: [string, string, string][] = [
  ["keys in another order", '{"a":1,"b":2}', '{"b":2,"a":1}'],
  ["keys in another order, deep inside", '{"x":[{"a":1,"b":{"c":1,"d":2}}]}', '{"x":[{"b":{"d":2,"c":1},"a":1}]}'],
  ["white space", '{"a":[1,2]}', '{ "a" :\n[ 1 , 2 ] }'],
  ["an accent escaped or raw", '"\\u00e9"', '"\u00e9"'],
  ["1 and 1.0", "1", "1.0"],
  ["1 and 1e0", "1", "1e0"],
  ["0 and −0", "0", "-0"],
  ["1.5 and 1.50", "1.5", "1.50"],
  [
    "keys beyond the basic plane and above U+D7FF",
    '{"\u{1f5a8}":1,"\uffee":2,"\ue000":3}',
    '{"\ue000":3,"\uffee":2,"\u{1f5a8}":1}',
  ],
];

const different: [string, string, string][] = [
  ["1 and the string 1", "1", '"1"'],
  ["true and the string true", "true", '"true"'],
  ["an empty object and an empty list", "{}", "[]"],
  ["a list in another order", "[1,2]", "[2,1]"],
  ["a null and nothing", '{"a":null}', "{}"],
  ["null and an empty object", "null", "{}"],
  ["an accent in one piece and in two", '"\\u00e9"', '"e\\u0301"'],
  ["a key __proto__ and nothing", '{"__proto__":1}', "{}"],
  ["two values of the key __proto__", '{"__proto__":1}', '{"__proto__":2}'],
  ["two objects under the key __proto__", '{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
  ["a key constructor and nothing", '{"constructor":1}', "{}"],
  ["white space inside a string", '"a b"', '"a  b"'],
  ["upper and lower case", '"A"', '"a"'],
];

describe("the input", () => {
  test.each(same)("%s are one intent", (_, left, right) => {
    expect(isSame(given(parse(left)), given(parse(right)))).toBe(true);
    expect(differencesBetween(parse(left), parse(right), "/input")).toEqual([]);
  });

  test.each(different)("%s are two intents, and the conflict says where", (_, left, right) => {
    expect(isSame(given(parse(left)), given(parse(right)))).toBe(false);
    expect(differencesBetween(parse(left), parse(right), "/input")).not.toEqual([]);
  });

  test("keys sort by UTF-16 code unit, neither by locale nor by code point", () => {
    expect(canonicalJson(parse('{"\uffee":2,"\u{1f5a8}":1,"b":3,"B":4,"\u00e9":5,"z":6}'))).toBe(
      '{"B":4,"b":3,"z":6,"\u00e9":5,"\u{1f5a8}":1,"\uffee":2}',
    );
  });

  test("the digest never changes from one release to the next", () => {
    // Of {"input":{"B":true,"a":[1.5,null,"\u00e9"]},"operation":"print"} with the accent raw, by another program.
    expect(digestIntent(given(parse('{"a":[1.5,null,"\u00e9"],"B":true}')))).toBe(
      "0261020f312240e88b402a001b84e07e05bef27c81c3e74176e4db15fc04b4eb",
    );
  });
});

describe("the target", () => {
  const [hello, other] = [given("hello"), given("hello", { operation: "scan" })];
  const inkjet = given("hello", { provider: "inkjet" });
  const withFallbacks = (...fallbackProviders: string[]) => given("hello", { fallbackProviders });

  test("a provider omitted and the default one named are one intent", () => {
    expect(isSame(hello, inkjet)).toBe(true);
    expect(isSame(hello, given("hello", { provider: "inkjet", fallbackProviders: ["laser"] }))).toBe(true);
    expect(digestIntent(hello)).not.toBe(digestIntent(inkjet));
  });

  test("a default that changed between two creates does not turn an honest repeat into a conflict", () => {
    expect(digestIntent(hello)).toBe(digestIntent(given("hello")));
    expect(digestIntent(resolveIntent(hello, ["laser"]))).not.toBe(digestIntent(resolveIntent(hello, defaults)));
  });

  test.each([
    ["another operation", hello, other, ["/operation"]],
    ["another provider", inkjet, given("hello", { provider: "laser" }), ["/provider", "/fallbackProviders"]],
    ["another list of fallbacks", withFallbacks("laser"), withFallbacks("laser", "plotter"), ["/fallbackProviders"]],
    ["no fallbacks", withFallbacks("laser"), withFallbacks(), ["/fallbackProviders"]],
    ["fallbacks in another order", withFallbacks("a", "b"), withFallbacks("b", "a"), ["/fallbackProviders"]],
  ])("%s is another intent, and the conflict says where", (_, left, right, paths) => {
    expect(isSame(left, right)).toBe(false);
    expect(intentDifferences(resolveIntent(left, defaults), resolveIntent(right, defaults))).toEqual(paths);
  });

  test("a named provider is not among its own fallbacks", () => {
    expect(resolveIntent(given(1, { provider: "laser" }), defaults).fallbackProviders).toEqual(["inkjet"]);
  });
});

describe("any JSON", () => {
  const json = fc.jsonValue({ maxDepth: 5, stringUnit: "binary" }).map((value) => parse(JSON.stringify(value)));

  const shuffled = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([key, child]) => [key, shuffled(child)]),
    );
  };

  test("has the same digest whatever the order of its keys", () => {
    fc.assert(fc.property(json, (value) => digestIntent(given(value)) === digestIntent(given(shuffled(value)))));
  });

  test("has no differences exactly from what has the same canonical text", () => {
    const pair = fc.oneof(
      fc.tuple(json, json),
      json.map((value): [Json, Json] => [value, shuffled(value)]),
    );
    fc.assert(
      fc.property(pair, ([left, right]) => {
        const differs = differencesBetween(left, right, "").length > 0;
        return differs === (canonicalJson(left) !== canonicalJson(right));
      }),
    );
  });
});

test("differences are pointers, escaped, to the places themselves", () => {
  const [left, right] = [parse('{"a/b":{"c~d":[1,2]},"e":1}'), parse('{"a/b":{"c~d":[1,3,4]},"f":1}')];
  expect(differencesBetween(left, right, "/input")).toEqual([
    "/input/a~1b/c~0d/1",
    "/input/a~1b/c~0d/2",
    "/input/e",
    "/input/f",
  ]);
});

test("of very many differences only the first are told", () => {
  const [left, right] = [Array.from({ length: 100 }, () => 0), Array.from({ length: 100 }, () => 1)];
  expect(differencesBetween(left, right, "", 5)).toEqual(["/0", "/1", "/2", "/3", "/4"]);
});

describe("keys", () => {
  test.each(["1", "🖨️", "k".repeat(255), " key ", "0f".repeat(32), "𝒳".repeat(127)])("%j is taken as it is", (key) => {
    expect(keyFaults(key, "/key")).toEqual([]);
  });

  test.each([null, undefined, "", "k".repeat(256), "x".repeat(10_000), "a\0b", "\ud800", "a\udc00b"])(
    "%j is refused, with the path",
    (key) => {
      expect(keyFaults(key, "/key")).toEqual([{ path: "/key", message: expect.any(String) }]);
    },
  );
});
