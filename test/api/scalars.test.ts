/** The scalars: instants are read strictly, and JSON arrives as it was written. */
import { parseValue } from "graphql";
import { describe, expect, it } from "vitest";
import { storageFaults } from "../../src/domain/json.ts";
import { parseInstant } from "../../src/graphql/parse-instant.ts";
import { jsonFrom } from "../../src/graphql/scalars.ts";
import { buildOnejobSchema } from "../../src/graphql/schema.ts";

describe("DateTime", () => {
  it.each([
    ["2026-03-01T09:30:00Z", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01t09:30:00.5z", "2026-03-01T09:30:00.500Z"],
    ["2026-03-01T09:30:00.123456789+02:30", "2026-03-01T07:00:00.123Z"],
    ["2024-02-29T00:00:00-23:59", "2024-02-29T23:59:00.000Z"],
    ["0099-01-01T00:00:00Z", "0099-01-01T00:00:00.000Z"],
  ])("reads %s", (text, instant) => {
    expect(parseInstant(text)?.toISOString()).toBe(instant);
  });

  it.each([
    "2026-03-01",
    "2026-03-01T09:30:00",
    "2026-03-01 09:30:00Z",
    "2026-03-01T09:30Z",
    "2026-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-03-01T24:00:00Z",
    "2026-03-01T09:30:60Z",
    "2026-03-01T09:30:00+24:00",
    "0001-01-01T00:00:00+01:00",
    "0000-06-01T00:00:00Z",
    "+02026-03-01T09:30:00Z",
    "2026-03-01T09:30:00Z ",
    "yesterday",
    "",
  ])("refuses %j", (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  it("is written with three digits of a second, and a number is none", () => {
    const scalar = buildOnejobSchema().getType("DateTime") as unknown as {
      serialize(value: Date): string;
      parseValue(value: unknown): Date;
    };
    expect(scalar.serialize(new Date(0))).toBe("1970-01-01T00:00:00.000Z");
    expect(() => scalar.parseValue(0)).toThrow(expect.objectContaining({ extensions: { code: "BAD_USER_INPUT" } }));
  });
});

describe("JSON literals", () => {
  const read = (literal: string, variables: Record<string, unknown> = {}) => jsonFrom(parseValue(literal), variables);

  it("are plain JSON, with every name an own property", () => {
    const value = read('{ __proto__: { polluted: true }, constructor: 1, a: [1, 2.5, "x", true, null] }');
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true},"constructor":1,"a":[1,2.5,"x",true,null]}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("hold variables: one that was not given leaves its field out, and is null in a list", () => {
    const literal = "{ given: $a, missing: $b, list: [$a, $b], none: $c }";
    expect(jsonFrom(parseValue(literal), { a: { deep: [1] }, c: null })).toEqual({
      given: { deep: [1] },
      list: [{ deep: [1] }, null],
      none: null,
    });
    expect(jsonFrom(parseValue("$at"), { at: new Date(0) })).toBe("1970-01-01T00:00:00.000Z");
    expect(jsonFrom(parseValue("[$a]"), undefined)).toEqual([null]);
  });

  it.each(["9007199254740993", "-9007199254740993", "1e400", "[1, {a: 1e999}]"])(
    "leave %s to be refused by whoever stores it",
    (literal) => {
      expect(storageFaults(read(literal), "/input")).toHaveLength(1);
    },
  );

  it("keep what can be stored as it is", () => {
    const value = read("[9007199254740991, 0.1, 1.0]");
    expect(value).toEqual([9007199254740991, 0.1, 1]);
    expect(storageFaults(value, "/input")).toEqual([]);
  });
});
