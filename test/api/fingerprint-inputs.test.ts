/** When two inputs are the same intent, through the API: every pair as variables, as literals in the document, and mixed. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRaw, type RawCreate } from "../support/api-raw.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { type InputPair, otherIntents, sameIntents } from "../support/fingerprint-pairs.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

type Spelling = Omit<RawCreate, "key">;

/** Each way in which the pair can be sent, by name. */
function waysOf({ left, right, literals }: InputPair): [way: string, first: Spelling, second: Spelling][] {
  const [first, second] = [{ input: left }, { input: right }];
  const asVariables: [string, Spelling, Spelling][] = [["variables", first, second]];
  if (literals === undefined) return asVariables;
  const [firstLiteral, secondLiteral] = [{ literal: literals[0] }, { literal: literals[1] }];
  return [
    ...asVariables,
    ["literals", firstLiteral, secondLiteral],
    ["a variable, then a literal", first, secondLiteral],
    ["a literal, then a variable", firstLiteral, second],
  ];
}

const named = (pairs: readonly InputPair[]) => pairs.map((pair) => [pair.what, pair] as const);

async function createTwice(first: Spelling, second: Spelling) {
  const key = randomUUID();
  const { answer: made } = await createRaw(server.url, { key, ...first });
  expect(made).toMatchObject({ __typename: "CreateJobSuccess", created: true });
  const { answer: again } = await createRaw(server.url, { key, ...second });
  return { made, again, jobs: await server.sql`select 1 from jobs where idempotency_key = ${key}` };
}

describe("the same intent", () => {
  it.each(named(sameIntents))("%s", async (_what, pair) => {
    for (const [way, first, second] of waysOf(pair)) {
      const { made, again, jobs } = await createTwice(first, second);
      expect(again, way).toMatchObject({ __typename: "CreateJobSuccess", created: false, job: { id: made?.job?.id } });
      expect(jobs).toHaveLength(1);
    }
  });
});

describe("another intent", () => {
  it.each(named(otherIntents))("%s", async (_what, pair) => {
    for (const [way, first, second] of waysOf(pair)) {
      const { made, again, jobs } = await createTwice(first, second);
      expect(again, way).toMatchObject({ __typename: "IdempotencyConflict", existingJob: { id: made?.job?.id } });
      expect(again?.differences, way).toEqual(pair.differences);
      expect(jobs).toHaveLength(1);
    }
  });
});

describe("a key that JavaScript's objects know", () => {
  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "%s is ordinary data, kept as it came",
    async (name) => {
      const input = `{"${name}":{"polluted":true}}`;
      const { text } = await createRaw(server.url, { key: randomUUID(), input });
      expect(text).toContain(`"input":${input}`);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    },
  );
});
