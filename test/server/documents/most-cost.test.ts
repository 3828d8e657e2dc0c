/** What a document costs at the very most, which spares most calls the counting: never less than what a call with it costs. */
import { getOperationAST, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { exampleVariables } from "../../../scripts/api-page/example-variables.ts";
import { sizesOf } from "../../../src/graphql/costs.ts";
import { buildOnejobSchema } from "../../../src/graphql/schema.ts";
import { compileConfig } from "../../../src/server/config/compile-config.ts";
import { mostCost, operationCost } from "../../../src/server/documents/operation-cost.ts";
import { documentOf, type Fields } from "../../support/api-client.ts";
import { apiConfig } from "../../support/api-config.ts";

const schema = buildOnejobSchema();
const sizes = sizesOf(compileConfig(apiConfig, {}).catalog, Object.keys(schema.getTypeMap()).length);

function asked(text: string, variables: Fields) {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (!operation) throw new Error("a document without an operation");
  return { schema, document, operation, variables };
}

describe("the most that a document costs", () => {
  it.each(Object.keys(exampleVariables))("%s: is no less than what it costs with its example, and bounded", (name) => {
    const operation = asked(documentOf(name), exampleVariables[name] as Fields);
    const most = mostCost(operation, sizes) ?? Number.NaN;
    expect(most).toBeGreaterThanOrEqual(operationCost(operation, sizes) ?? Number.POSITIVE_INFINITY);
    expect(most).toBeLessThan(1_000_000);
  });

  it.each([
    ["query ($n: Int) { jobs(first: $n) { nodes { id } } }", { n: 1 }, { n: 100 }],
    ["query ($n: Int) { jobs(last: $n) { nodes { id events(first: $n) { number } } } }", { n: 1 }, { n: 100 }],
    [
      "mutation ($i: CreateJobsInput!) { createJobs(input: $i) { __typename } }",
      { i: { jobs: [] } },
      { i: { jobs: Array.from({ length: 1_000 }, () => ({ operation: "any", input: 1 })) } },
    ],
    [
      "mutation ($i: CancelJobsInput!) { cancelJobs(input: $i) { __typename } }",
      { i: { filter: {}, limit: 1, reason: "x" } },
      { i: { filter: {}, limit: 1_000, reason: "x" } },
    ],
  ])("%s: is known from a small call, and holds for a large one", (text, small, large) => {
    const most = mostCost(asked(text, small), sizes);
    expect(most).toBe(mostCost(asked(text, large), sizes));
    expect(most).toBeGreaterThanOrEqual(operationCost(asked(text, large), sizes) ?? Number.POSITIVE_INFINITY);
  });

  it("is not said where a condition hangs on a variable, since the next call may turn it round", () => {
    const text = "query ($x: Boolean!) { jobs @include(if: $x) { nodes { id } } }";
    expect(mostCost(asked(text, { x: false }), sizes)).toBe(Number.POSITIVE_INFINITY);
    expect(mostCost(asked("{ jobs @include(if: true) { nodes { id } } }", {}), sizes)).toBeLessThan(10_000);
  });

  it("is not kept where a field is without a usable argument in this call alone", () => {
    const text = "query ($id: ID) { job(id: $id) { id } }";
    expect(mostCost(asked(text, {}), sizes)).toBeNull();
    expect(mostCost(asked(text, { id: "job_1" }), sizes)).toBeGreaterThan(0);
  });
});
