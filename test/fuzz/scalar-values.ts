/** Arbitrary values for the leaves of inputs, by what the argument or field is called: mostly sensible, sometimes not. */
import fc, { type Arbitrary } from "fast-check";
import { awkwardValues } from "../support/awkward-values.ts";
import { type Pool, Ref, Spelled } from "./chosen-values.ts";

type Weighted = readonly [weight: number, arbitrary: Arbitrary<unknown>];

export function oneOf(...weighted: readonly Weighted[]): Arbitrary<unknown> {
  return fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** Mostly null; the arbitrary once in so many. */
export function seldom<Value>(arbitrary: Arbitrary<Value>, once: number): Arbitrary<Value | null> {
  return fc.oneof({ weight: once - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

const pick = (...values: readonly unknown[]) => fc.constantFrom(...values);
const refTo = (pool: Pool, field: string): Arbitrary<Ref> => fc.nat(199).map((index) => new Ref(pool, index, field));

export const awkwardText = oneOf(
  [
    3,
    pick(
      "",
      " ",
      "\0",
      "a\0b",
      "\ud800",
      "x\udfff",
      "\u2028\u2029",
      "🖨️ 𝒳",
      "\ufeff",
      "e\u0301",
      "%s%n",
      "${1}",
      "'; --",
    ),
  ],
  [1, pick("../../etc/passwd", "__proto__", "constructor", "null", "NaN", "-0", "job_", "\r\n\t\u001b[31m")],
  [1, fc.nat(3).map((exponent) => "x".repeat(10 ** (exponent + 1)))],
  [2, fc.string({ unit: "binary", maxLength: 40 })],
  [2, fc.string({ maxLength: 40 })],
);

const malformedIds = pick(
  "job_01h455vb4pex5vsknk084sn02q",
  "job_",
  "job",
  "_",
  "JOB_01h455vb4pex5vsknk084sn02q",
  "job_8zzzzzzzzzzzzzzzzzzzzzzzzz",
  "att_zzzzzzzzzzzzzzzzzzzzzzzzzz",
  "op_nothing",
  "prov_",
  "0189c5a6-1f5b-7a3c-8a64-3d2f1c0b9a8e",
  "1",
  7,
  -1,
  "job_01h455vb4pex5vsknk084sn02q ",
);

const ids = (pool: Pool, field: string) =>
  oneOf([8, refTo(pool, field)], [2, refTo("id", "id")], [1, malformedIds], [1, awkwardText]);

const texts: Readonly<Record<string, Arbitrary<unknown>>> = {
  operation: oneOf([8, pick("print", "any", "preview", "patient", "poster", "fax")], [1, awkwardText]),
  provider: oneOf([8, pick("inkjet", "laser", "plotter", "press", "telex")], [1, awkwardText]),
  ownerId: oneOf([6, pick("ann", "bob", "olga")], [1, awkwardText]),
  idempotencyKey: oneOf([3, refTo("job", "key")], [3, pick("k1", "k2", "k3")], [2, fc.uuid()], [1, awkwardText]),
  leaseToken: oneOf([6, refTo("held", "leaseToken")], [1, fc.uuid()], [1, awkwardText]),
  actor: oneOf([3, pick("olga", "ann")], [1, awkwardText]),
};

const listNames = ["jobs", "attempts", "certifications", "auditLog"] as const;

/** Of the list itself, mostly; `owner` is the list's field. */
const cursorOf = (owner: string) =>
  oneOf(
    [12, refTo("cursor", owner)],
    [2, pick(...listNames).chain((list) => refTo("cursor", String(list)))],
    [1, awkwardText],
  );

const anyInteger = pick(
  0,
  1,
  -1,
  2,
  100,
  101,
  2_147_483_647,
  -2_147_483_648,
  2_147_483_648,
  1.5,
  new Spelled("1e2"),
  "7",
);
const integers: Readonly<Record<string, Arbitrary<unknown>>> = {
  first: oneOf([8, fc.integer({ min: 1, max: 100 })], [2, fc.integer({ min: -1, max: 1000 })], [1, anyInteger]),
  after: oneOf([8, fc.integer({ min: 0, max: 4 })], [1, anyInteger]),
  priority: oneOf([6, fc.integer({ min: -100, max: 100 })], [1, anyInteger]),
  // Longer waits are allowed, and would only make the run long.
  waitMs: pick(0, 0, 0, 1, 20, -1, 30_001),
};

const datesBad = pick(
  "",
  "now",
  "2026-13-01T00:00:00Z",
  "2026-02-30T00:00:00Z",
  "2026-01-01",
  "2026-01-01T00:00:00",
  0,
  true,
);
const datesGood = pick(
  "2026-03-01T09:30:00.000Z",
  "1970-01-01T00:00:00Z",
  "2999-12-31T23:59:59.999999Z",
  "2026-03-01T09:30:00+14:00",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59Z",
  "2016-12-31T23:59:60Z",
);
const dates = oneOf(
  [12, datesGood],
  [
    6,
    fc
      .date({ min: new Date("2000-01-01T00:00:00Z"), max: new Date("2100-01-01T00:00:00Z"), noInvalidDate: true })
      .map((date) => date.toISOString()),
  ],
  [1, datesBad],
  [1, awkwardText],
);

const nested = fc.nat(3).map((exponent) => {
  const depth = 4 ** (exponent + 1) * 2;
  return new Spelled("[".repeat(depth) + "]".repeat(depth));
});
const spelled = pick(
  ...[
    "9007199254740993",
    "-9007199254740993",
    "1e400",
    "-0",
    "1.0",
    "1e0",
    '{"a":1,"a":2}',
    '{"__proto__":{"a":1}}',
  ].map((text) => new Spelled(text)),
);
const json = oneOf(
  [4, pick({ text: "Menu" }, { text: "Menu", copies: 2 }, { pages: 1 }, { text: 7 }, {})],
  [2, pick(...Object.values(awkwardValues))],
  [2, fc.jsonValue({ maxDepth: 3 })],
  [1, spelled],
  [1, nested],
  [1, fc.record({ text: awkwardText })],
);

/** `owner` is the input type or the field that the argument belongs to. */
export function scalarOf(type: string, name: string, owner: string): Arbitrary<unknown> {
  if (type === "Boolean") return oneOf([20, fc.boolean()], [1, pick("true", 1)]);
  if (type === "Int")
    return (
      integers[name === "last" || name === "limit" ? "first" : name] ??
      oneOf([4, fc.integer({ min: 0, max: 5 })], [1, anyInteger])
    );
  if (type === "Float") return oneOf([6, fc.double({ min: 0, max: 1, noNaN: true })], [1, pick(-1, 2, 1e308, "0.5")]);
  if (type === "DateTime") return dates;
  if (type === "JSON") return json;
  if (type === "ID") {
    if (owner === "node" || name === "certificationId" || owner === "certificationUpdated") return ids("id", "id");
    return /attempt/i.test(name) || owner === "attempt" ? ids("held", "attemptId") : ids("job", "jobId");
  }
  if (name === "after" || name === "before") return cursorOf(owner);
  const key = name === "providers" || name === "fallbackProviders" ? "provider" : name;
  return (
    texts[key === "operations" ? "operation" : key] ??
    oneOf([3, pick("found out by hand", "worker-1")], [1, awkwardText])
  );
}
