/** How values are judged by an operation's schema: closed objects, JSON Pointers, the schema's own rules. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Json } from "../../src/domain/json.ts";
import { closeObjects, type SchemaObject } from "../../src/server/judge/close-objects.ts";
import { compileJudge } from "../../src/server/judge/compile-judge.ts";
import type { DescribedSchema } from "../../src/server/judge/standard-schema.ts";

function issuesOf(schema: DescribedSchema, value: Json) {
  return compileJudge(schema).judge(value);
}

async function pathsOf(schema: DescribedSchema, value: Json) {
  return (await issuesOf(schema, value)).map((issue) => issue.path);
}

/** A schema of another library, given as JSON Schema alone. */
function described(jsonSchema: SchemaObject): DescribedSchema {
  const give = () => jsonSchema;
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => ({ value }),
      jsonSchema: { input: give, output: give },
    },
  };
}

describe("objects", () => {
  it("are closed at every depth, unless the schema says otherwise", async () => {
    const schema = z.object({
      inner: z.object({ a: z.string() }),
      list: z.array(z.object({ b: z.string() })),
      loose: z.looseObject({ c: z.string() }),
      map: z.record(z.string(), z.object({ d: z.string() })),
    });
    const value = {
      inner: { a: "", x: 1 },
      list: [{ b: "", x: 1 }],
      loose: { c: "", x: 1 },
      map: { any: { d: "", x: 1 } },
      x: 1,
    };
    expect((await pathsOf(schema, value)).toSorted()).toEqual(["/inner/x", "/list/0/x", "/map/any/x", "/x"]);
  });

  it("are closed in unions, so that a property of one branch does not pass in another", async () => {
    const schema = z.union([z.object({ cash: z.int() }), z.object({ card: z.string() })]);
    expect(await issuesOf(schema, { cash: 1 })).toEqual([]);
    expect(await issuesOf(schema, { cash: 1, card: "x" })).not.toEqual([]);
  });

  it("are closed as a whole where several schemas share one", async () => {
    const has = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } }, required: [name] });
    const shared = described({ allOf: [has("a"), { anyOf: [has("b"), has("c")] }] });
    expect(await issuesOf(shared, { a: "", b: "" })).toEqual([]);
    expect(await pathsOf(shared, { a: "", b: "", x: 1 })).toEqual(["/x"]);
  });

  it("are compared with the branch of a union that they come closest to", async () => {
    const schema = z.union([z.object({ a: z.string(), b: z.string() }), z.object({ c: z.string() })]);
    expect(await pathsOf(schema, { a: "", b: "", x: 1 })).toEqual(["/x"]);
  });

  it("stay open for their other parts where a closed definition is used", () => {
    const closed = closeObjects({
      $defs: { named: { type: "object", properties: { name: { type: "string" } } } },
      properties: { alone: { $ref: "#/$defs/named" } },
      allOf: [{ $ref: "#/$defs/named" }, { properties: { age: { type: "integer" } } }],
    });
    expect(closed).toMatchObject({
      unevaluatedProperties: false,
      $defs: { named: { additionalProperties: false } },
      properties: { alone: { $ref: "#/$defs/named" } },
      allOf: [{ $ref: "#/$defs/named:open" }, { properties: { age: { type: "integer" } } }],
    });
    expect(closed["$defs"]).toHaveProperty("named:open", { type: "object", properties: { name: { type: "string" } } });
    expect(closed["allOf"]).not.toHaveProperty("1.additionalProperties");
  });

  it("may contain themselves", async () => {
    const node = z.object({
      name: z.string(),
      get children() {
        return z.array(node).optional();
      },
    });
    expect(await issuesOf(node, { name: "a", children: [{ name: "b" }] })).toEqual([]);
    expect(await pathsOf(node, { name: "a", children: [{ name: "b", x: 1 }] })).toEqual(["/children/0/x"]);
  });
});

describe("places", () => {
  it("are JSON Pointers, with / and ~ escaped", async () => {
    const schema = z.object({ "a/b": z.object({ "c~d": z.string() }), "e/f": z.string() });
    expect((await pathsOf(schema, { "a/b": { "c~d": 1, "~x/": 1 } })).toSorted()).toEqual([
      "/a~1b/c~0d",
      "/a~1b/~0x~1",
      "/e~1f",
    ]);
  });

  it("are named once, with all that is wrong there", async () => {
    const schema = z.object({ size: z.union([z.string(), z.null()]) });
    expect(await issuesOf(schema, { size: 3 })).toEqual([
      { path: "/size", message: "The value must be of the type string or null." },
    ]);
  });

  it("are at most 20, and of a large value the first alone", async () => {
    const schema = z.array(z.string());
    expect(await issuesOf(schema, Array<Json>(300).fill(1))).toHaveLength(20);
    expect(await pathsOf(schema, Array<Json>(50_000).fill(1))).toEqual(["/0"]);
  });

  it("are empty for the value itself", async () => {
    expect(await issuesOf(z.object({}), null)).toEqual([
      { path: "", message: "The value must be of the type object." },
    ]);
  });
});

describe("the schema's own rules", () => {
  const schema = z
    .object({ from: z.string(), to: z.iso.date(), copies: z.int().default(1) })
    .refine((trip) => trip.from !== trip.to, { path: ["to"], message: "Goes nowhere." });

  it("judge what JSON Schema cannot say, once that is content", async () => {
    expect(await issuesOf(schema, { from: "2030-01-01", to: "2030-01-01" })).toEqual([
      { path: "/to", message: "Goes nowhere." },
    ]);
    expect(await pathsOf(schema, { from: 1, to: "2030-02-30" })).toEqual(["/from", "/to"]);
  });

  it("may take their time", async () => {
    const slow = z.string().refine(async (text) => text !== "no", { message: "Not that." });
    expect(await issuesOf(slow, "no")).toEqual([{ path: "", message: "Not that." }]);
  });

  it("change nothing: defaults and transformations are not applied", async () => {
    const value = { from: "a", to: "2030-01-01" };
    expect(await issuesOf(schema, value)).toEqual([]);
    expect(value).toEqual({ from: "a", to: "2030-01-01" });
    const trimmed = z.object({ text: z.string().transform((text) => text.trim()) });
    expect(await issuesOf(trimmed, { text: " x " })).toEqual([]);
  });

  it("are those of any library", async () => {
    const foreign = described({ type: "object", properties: { n: { type: "integer", maximum: 3 } }, required: ["n"] });
    expect(await issuesOf(foreign, { n: 4 })).toEqual([{ path: "/n", message: "The value must be <= 3." }]);
    expect(await pathsOf(foreign, { n: 1, m: 1 })).toEqual(["/m"]);
  });

  it("make a fault of the configuration when they cannot be described", () => {
    expect(() => compileJudge(z.date())).toThrow("Date cannot be represented");
    expect(() => compileJudge(described({ type: "nonsense" }))).toThrow(/type/);
  });
});
