/** That what GraphiQL proposes as an input is one that the schema takes, for the kinds of schema that are common. */
import { expect, it } from "vitest";
import { z } from "zod";
import { compileJudge } from "../../src/server/judge/compile-judge.ts";
import { sampleValue } from "../../src/server/sample-value.ts";

it.each([
  z.object({ text: z.string().min(20), copies: z.int().min(2).max(3), optional: z.string().optional() }),
  z.object({ kind: z.enum(["a", "b"]), exact: z.literal(7), yes: z.boolean(), none: z.null() }),
  z.object({ lines: z.array(z.object({ price: z.number().positive() })).min(2) }),
  z.union([z.object({ card: z.string() }), z.object({ cash: z.int() })]),
  z.object({ day: z.iso.date(), at: z.iso.datetime(), mail: z.email(), link: z.url() }),
  z.object({ map: z.record(z.string(), z.number()), free: z.looseObject({ a: z.int() }) }),
  z.string().meta({ examples: ["as the schema says"] }),
])("makes a value for schema %#", async (schema) => {
  const judge = compileJudge(schema);
  const value = sampleValue(judge.jsonSchema);
  expect({ value, issues: await judge.judge(value) }).toEqual({ value, issues: [] });
});

it("ends where a schema contains itself", () => {
  const list = z.object({
    get next() {
      return list;
    },
  });
  expect(JSON.stringify(sampleValue(compileJudge(list).jsonSchema)).length).toBeLessThan(200);
});
