/** What counts in an intent beside the input, through the API: defaults given or left out, providers, and what is no part of it. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRaw } from "../support/api-raw.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

async function createTwice(first: string, second: string) {
  const key = randomUUID();
  const { answer: made } = await createRaw(server.url, { key, literal: "{a: 1}", more: first });
  expect(made).toMatchObject({ __typename: "CreateJobSuccess", created: true });
  const { answer: again } = await createRaw(server.url, { key, literal: "{a: 1}", more: second });
  return { made, again };
}

const same: readonly [what: string, left: string, right: string][] = [
  ["the provider left out, and the default provider named", "", 'provider: "inkjet"'],
  ["the provider given as null, and left out", "provider: null", ""],
  ["the fallbacks left out, and the default ones given", "", 'fallbackProviders: ["laser", "plotter"]'],
  ["all left out, and all of them given", "", 'provider: "inkjet", fallbackProviders: ["laser", "plotter"]'],
  [
    "another provider, and the fallbacks that then are left",
    'provider: "laser"',
    'provider: "laser", fallbackProviders: ["inkjet", "plotter"]',
  ],
  ["the priority left out, and its default given", "", "priority: 0"],
  ["other metadata", "metadata: {table: 1}", "metadata: {table: 2}"],
  ["another priority", "priority: 1", "priority: 2"],
  ["another time to start", "", 'notBefore: "2099-01-01T00:00:00Z"'],
];

const other: readonly [what: string, left: string, right: string, differences: readonly string[]][] = [
  ["another operation", "", 'operation: "print"', ["/operation", "/fallbackProviders"]],
  ["another provider", "", 'provider: "laser"', ["/provider", "/fallbackProviders"]],
  ["no fallbacks", "", "fallbackProviders: []", ["/fallbackProviders"]],
  ["one fallback less", "", 'fallbackProviders: ["laser"]', ["/fallbackProviders"]],
  ["the fallbacks in another order", "", 'fallbackProviders: ["plotter", "laser"]', ["/fallbackProviders"]],
];

/** Either may come first. */
function bothWays([what, left, right]: (typeof same)[number]): [string, string, string][] {
  return [
    [what, left, right],
    [`${what}, the other way round`, right, left],
  ];
}

it.each(same.flatMap(bothWays))("%s: the same job", async (_what, first, second) => {
  const { made, again } = await createTwice(first, second);
  expect(again).toMatchObject({ __typename: "CreateJobSuccess", created: false, job: { id: made?.job?.id } });
});

it.each(other)("%s: a conflict", async (_what, first, second, differences) => {
  const { made, again } = await createTwice(first, second);
  expect(again).toMatchObject({ __typename: "IdempotencyConflict", existingJob: { id: made?.job?.id }, differences });
});

describe("an input with variables inside a literal", () => {
  it("is the same intent as the whole of it in one variable", async () => {
    const key = randomUUID();
    await createRaw(server.url, { key, input: '{"a":{"deep":[1,"two"]},"b":true}' });
    const document = `mutation ($deep: [JSON!], $b: Boolean) {
      createJob(input: {idempotencyKey: "${key}", operation: "any", input: {b: $b, a: {deep: $deep}}}) { ... on CreateJobSuccess { created } } }`;
    expect(await server.ann.ask(document, { deep: [1, "two"], b: true })).toEqual({ createJob: { created: false } });
  });
});
