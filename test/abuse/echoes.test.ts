/** Calls whose faults quote what was sent: however much that is, the answer is short, and names nothing that the server hides. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type AbusedServer, startAbusedServer } from "../support/abused-server.ts";
import { apiConfig } from "../support/api-config.ts";
import { type Way, waysToSend } from "../support/document-calls.ts";

let server: AbusedServer;
beforeAll(async () => {
  server = await startAbusedServer({ config: { ...apiConfig, http: { introspection: false } } });
});
afterEach(() => server.expectUnharmed());
afterAll(() => server.stop());

const ways = ["POST", "WebSocket", "Server-Sent Events"] as const;
const ask = (way: Way, query: string, variables = {}) => waysToSend[way](server.url, { query, variables }, "ann");
const many = <Made>(count: number, make: (index: number) => Made) => Array.from({ length: count }, (_, i) => make(i));
const ofStates = "query ($filter: JobFilter) { jobs(filter: $filter) { nodes { id } } }";
const ofJobs = "mutation ($input: CreateJobsInput!) { createJobs(input: $input) { __typename } }";

it.each(ways)("tells by %s of the first fault alone in variables that are too large to quote", async (way) => {
  const states = many(50_000, () => "LOST");
  const keys = Object.fromEntries(many(20_000, (index) => [`key${index}`, index]));
  for (const [query, variables] of [
    [ofStates, { filter: { states } }],
    [ofJobs, { input: { jobs: [keys] } }],
    ["query ($first: Int) { jobs(first: $first) { nodes { id } } }", { first: "1".repeat(500_000) }],
  ] as const) {
    const { codes, messages } = await ask(way, query, variables);
    expect(codes[0]).toBe("BAD_USER_INPUT");
    expect(codes.length).toBeLessThanOrEqual(2);
    expect(messages.join("").length).toBeLessThan(2_000);
  }
});

it.each(ways)("cuts by %s what each of a hundred faults of a document says of one long name", async (way) => {
  const variables = many(300, (index) => `$v${index}: Int`).join(" ");
  const { codes, messages } = await ask(way, `query ${"A".repeat(500_000)}(${variables}) { viewer { ownerId } }`);
  expect(new Set(codes)).toEqual(new Set(["GRAPHQL_VALIDATION_FAILED"]));
  expect(messages.join("").length).toBeLessThan(110_000);
});

it.each(ways)("names nothing of a hidden schema by %s, also when the document is known", async (way) => {
  const inHand = { filter: { states: ["QUEUED"] } };
  expect((await ask(way, ofStates, inHand)).codes).toEqual([]);
  const { codes, messages } = await ask(way, ofStates, { filter: { states: ["QUEUE"], operatoin: "print" } });
  expect(new Set(codes)).toEqual(new Set(["BAD_USER_INPUT"]));
  expect(messages.join("")).not.toContain("Did you mean");
});

it.each(ways)("takes a list of a hundred thousand states by %s for the few that it names", async (way) => {
  const states = many(100_000, (index) => (index % 2 === 0 ? "QUEUED" : "FAILED"));
  const { codes, data } = await ask(way, ofStates, { filter: { states } });
  expect({ codes, data }).toMatchObject({ codes: [], data: { jobs: { nodes: expect.any(Array) as unknown } } });
});
