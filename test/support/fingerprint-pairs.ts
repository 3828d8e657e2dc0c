/** cases/fingerprint.md as data: pairs of inputs as JSON text, as clients spell it, and what the second of a pair must be answered. */

export interface InputPair {
  readonly what: string;
  readonly left: string;
  readonly right: string;
  /** The same values as GraphQL literals, where GraphQL can say them: its object keys are names. */
  readonly literals?: readonly [left: string, right: string];
  /** For a conflict: where the inputs differ. */
  readonly differences?: readonly string[];
}

/** The key U+1F600 sorts before U+FB33 by code unit, after it by code point. */
const [astral, presentation, lastHangul] = ["\u{1F600}", "\uFB33", "\uD7FB"];

export const sameIntents: readonly InputPair[] = [
  {
    what: "keys in another order",
    left: '{"a":1,"b":2}',
    right: '{"b":2,"a":1}',
    literals: ["{a: 1, b: 2}", "{b: 2, a: 1}"],
  },
  {
    what: "keys in another order, deep down",
    left: '{"x":[{"a":1,"b":{"c":1,"d":2}}]}',
    right: '{"x":[{"b":{"d":2,"c":1},"a":1}]}',
    literals: ["{x: [{a: 1, b: {c: 1, d: 2}}]}", "{x: [{b: {d: 2, c: 1}, a: 1}]}"],
  },
  {
    what: "white space",
    left: '{"a":[1,2]}',
    right: ' { "a" : [ 1 ,\t2 ] } ',
    literals: ["{a:[1,2]}", " { a : [ 1 , 2 ] } "],
  },
  { what: "é escaped or raw", left: '"\\u00e9"', right: '"é"', literals: ['"\\u00e9"', '"é"'] },
  { what: "a slash escaped or raw", left: '"a\\/b"', right: '"a/b"', literals: ['"a\\/b"', '"a/b"'] },
  {
    what: "an astral character escaped or raw",
    left: '"\\ud83d\\ude00"',
    right: '"😀"',
    literals: ['"\\ud83d\\ude00"', '"😀"'],
  },
  { what: "1 and 1.0", left: "1", right: "1.0", literals: ["1", "1.0"] },
  { what: "1 and 1e0", left: "1", right: "1e0", literals: ["1", "1e0"] },
  { what: "0 and -0", left: "0", right: "-0", literals: ["0", "-0"] },
  { what: "0 and -0.0, within", left: '{"a":[0]}', right: '{"a":[-0.0]}', literals: ["{a: [0]}", "{a: [-0.0]}"] },
  { what: "1.5 and 1.50", left: "1.5", right: "1.50", literals: ["1.5", "1.50"] },
  {
    what: "the greatest safe integer",
    left: "9007199254740991",
    right: "9007199254740991.0",
    literals: ["9007199254740991", "9007199254740991.0"],
  },
  {
    what: "keys beyond the basic plane",
    left: `{"${astral}":1,"${presentation}":2}`,
    right: `{"${presentation}":2,"${astral}":1}`,
  },
  {
    what: "keys above U+D7FF, escaped or raw",
    left: `{"${lastHangul}":0,"${presentation}":1,"${astral}":2}`,
    right: '{"\\ud83d\\ude00":2,"\\ufb33":1,"\\ud7fb":0}',
  },
  { what: "__proto__ as a key", left: '{"__proto__":{"a":1},"b":2}', right: '{"b":2,"__proto__":{"a":1}}' },
  {
    what: "constructor as a key",
    left: '{"constructor":1}',
    right: '{"constructor":1.0}',
    literals: ["{constructor: 1}", "{constructor: 1.0}"],
  },
];

export const otherIntents: readonly InputPair[] = [
  { what: "1 and a text", left: "1", right: '"1"', literals: ["1", '"1"'], differences: ["/input"] },
  { what: "true and a text", left: "true", right: '"true"', literals: ["true", '"true"'], differences: ["/input"] },
  { what: "an object and an array", left: "{}", right: "[]", literals: ["{}", "[]"], differences: ["/input"] },
  {
    what: "null and an absent key",
    left: '{"a":null}',
    right: "{}",
    literals: ["{a: null}", "{}"],
    differences: ["/input/a"],
  },
  {
    what: "the order of an array",
    left: "[1,2]",
    right: "[2,1]",
    literals: ["[1, 2]", "[2, 1]"],
    differences: ["/input/0", "/input/1"],
  },
  {
    what: "é composed and decomposed",
    left: '"\\u00e9"',
    right: '"e\\u0301"',
    literals: ['"\\u00e9"', '"e\\u0301"'],
    differences: ["/input"],
  },
  {
    what: "a key composed and decomposed",
    left: '{"\\u00e9":1}',
    right: '{"e\\u0301":1}',
    differences: ["/input/é", "/input/e\u0301"],
  },
  {
    what: "upper and lower case",
    left: '{"a":1}',
    right: '{"A":1}',
    literals: ["{a: 1}", "{A: 1}"],
    differences: ["/input/a", "/input/A"],
  },
  {
    what: "another value under __proto__",
    left: '{"__proto__":{"a":1}}',
    right: '{"__proto__":{"a":2}}',
    differences: ["/input/__proto__/a"],
  },
  { what: "__proto__ there or not", left: '{"__proto__":null}', right: "{}", differences: ["/input/__proto__"] },
  {
    what: "0.1 and 0.1000000000000001",
    left: "0.1",
    right: "0.1000000000000001",
    literals: ["0.1", "0.1000000000000001"],
    differences: ["/input"],
  },
  {
    what: "a key with a slash and a tilde",
    left: '{"a/b~c":1}',
    right: '{"a/b~c":2}',
    differences: ["/input/a~1b~0c"],
  },
];

export interface RefusedInput {
  readonly what: string;
  readonly input: string;
  readonly literal?: string;
  readonly path: string;
}

export const refusedInputs: readonly RefusedInput[] = [
  { what: "9007199254740993", input: '{"a":9007199254740993}', literal: "{a: 9007199254740993}", path: "/input/a" },
  {
    what: "the first unsafe integer",
    input: "[1,9007199254740992]",
    literal: "[1, 9007199254740992]",
    path: "/input/1",
  },
  { what: "the first unsafe negative one", input: "-9007199254740992", literal: "-9007199254740992", path: "/input" },
  { what: "an integer as a fraction with an exponent", input: "1.5e300", literal: "1.5e300", path: "/input" },
  {
    what: "an id of 18 digits as a number",
    input: '{"id":750727362669608961}',
    literal: "{id: 750727362669608961}",
    path: "/input/id",
  },
  { what: "1e400", input: '{"a":[1e400]}', literal: "{a: [1e400]}", path: "/input/a/0" },
  { what: "NUL in a text", input: '{"a":"x\\u0000y"}', literal: '{a: "x\\u0000y"}', path: "/input/a" },
  { what: "NUL in a key", input: '{"a\\u0000":1}', path: "/input/a\0" },
  { what: "a lone high surrogate", input: '{"a":["\\ud800"]}', path: "/input/a/0" },
  { what: "a lone low surrogate in a key", input: '{"\\udc00":1}', path: "/input/\uDC00" },
];
