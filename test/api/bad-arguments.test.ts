/** Arguments that no type forbids by itself or that GraphQL alone refuses: dates, enum values, pages, cursors, empty filters. Each error names the place, nothing is written, and no database error is behind it. */
import assert from "node:assert/strict";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Fields } from "../support/api-client.ts";
import { postGraphql } from "../support/api-raw.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { captureLog } from "../support/capture-log.ts";
import { certify } from "../support/certify.ts";

const { log, expectSilence } = captureLog();
let server: ApiServer;
let jobs: readonly string[];
let before: unknown;
beforeAll(async () => {
  server = await startApiServer({ log });
  jobs = [(await newJob(server)).id, (await newJob(server)).id];
  await server.operator.send("pause-provider", { provider: "plotter", reason: "no ink" });
  await certify(server.sql);
  before = await written();
});
afterEach(expectSilence);
afterEach(async () => assert.deepEqual(await written(), before));
afterAll(() => server.stop());

/** All that there is, but for what time alone does. */
async function written(): Promise<unknown> {
  const rows = await Promise.all(jobs.map((id) => server.rowsOf(id)));
  const acts = await server.sql`select count(*)::int as count from audit_log`;
  return { counts: await server.countRows(), rows, acts: [...acts] };
}

interface Fault {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly extensions: { readonly code: string };
}

/** The one error that a document is answered with, and no data. */
async function faultOf(query: string, variables: Fields = {}): Promise<Fault> {
  const { text } = await postGraphql(server.url, JSON.stringify({ query, variables }), "operator");
  const { data = null, errors = [] } = JSON.parse(text) as { data?: Fields | null; errors?: readonly Fault[] };
  expect(errors, `${query} ${JSON.stringify(variables)}`).toHaveLength(1);
  expect(Object.values(data ?? {}).filter((value) => value !== null)).toEqual([]);
  return errors[0]!;
}

/** Where a literal stands in its document, as GraphQL counts. */
function placeOf(query: string, literal: string) {
  return [{ line: 1, column: query.lastIndexOf(literal) + 1 }];
}

/** A field of an input with a document that takes the input as $given, and one that takes a literal for the field. */
interface Place {
  readonly type: string;
  readonly field: string;
  readonly rest?: Fields;
  ask(input: string): string;
}
const create = { operation: "print", input: { text: "Menu" } };
const fail = { attemptId: "att_1", leaseToken: "x", certainty: "DEFINITE", code: "X", message: "x" };
const resolve = { attemptId: "att_1", outcome: "FAILED", evidence: "seen" };
const list = (name: string) => (input: string) => `{ ${name}(filter: ${input}) { totalCount } }`;
const mutation = (name: string) => (input: string) => `mutation { ${name}(input: ${input}) { __typename } }`;

/** As GraphQL writes a value: enum values bare, names of fields without quotes. */
function spell(value: unknown): string {
  const json = JSON.stringify(value).replaceAll(/"(\w+)":/g, "$1: ");
  return json.replaceAll(/"([A-Z]+|none)"(?=[,\]]|$)/g, "$1");
}

async function expectRefused({ type, field, rest = {}, ask }: Place, value: unknown, code: string): Promise<void> {
  const given = { ...rest, [field]: value };
  const inVariable = ask("$given").replace(/^(mutation)? ?/, (verb) => `${verb.trim() || "query"} ($given: ${type}!) `);
  const fault = await faultOf(inVariable, { given });
  expect(fault).toMatchObject({ extensions: { code: "BAD_USER_INPUT" } });
  expect(fault.message).toContain(`at "given.${field}`);
  const fields = Object.entries(given).map(([name, one]) => `${name}: ${name === "code" ? '"X"' : spell(one)}`);
  const document = ask(`{ ${fields.join(", ")} }`);
  const place = placeOf(document, spell([value].flat().at(-1)));
  expect(await faultOf(document)).toMatchObject({ extensions: { code }, locations: place });
}

describe("a date that is none is refused with its place, in a variable and as a literal", () => {
  const places: readonly Place[] = [
    { type: "JobFilter", field: "createdAfter", ask: list("jobs") },
    { type: "JobFilter", field: "createdBefore", ask: list("jobs") },
    { type: "AttemptFilter", field: "stateChangedBefore", ask: list("attempts") },
    { type: "CreateJobInput", field: "notBefore", rest: create, ask: mutation("createJob") },
  ];
  const dates: readonly unknown[] = [
    "2026-02-30T00:00:00Z",
    "2026-02-30",
    "2026-03-01T09:30:00",
    "10000-01-01T00:00:00Z",
    "275760-09-13T00:00:00.001Z",
    "-000001-01-01T00:00:00Z",
    "9999-12-31T23:59:59-00:01",
    "yesterday",
    "",
    "2026-03-01T09:30:00\u0000Z",
    1_772_357_400,
    1.5,
    true,
  ];

  it.each(places)("$type.$field", async (place) => {
    for (const date of dates) await expectRefused(place, date, "BAD_USER_INPUT");
  });
});

describe("an enum value that there is not is refused with its place, in a variable and as a literal", () => {
  const places: readonly (Place & { readonly value: unknown })[] = [
    { type: "JobFilter", field: "states", value: ["QUEUED", "DONE"], ask: list("jobs") },
    { type: "AttemptFilter", field: "states", value: ["STARTING", "LOST"], ask: list("attempts") },
    { type: "FailAttemptInput", field: "certainty", value: "MAYBE", rest: fail, ask: mutation("failAttempt") },
    { type: "FailAttemptInput", field: "remedy", value: "PRAYER", rest: fail, ask: mutation("failAttempt") },
    { type: "ResolveAttemptInput", field: "outcome", value: "WON", rest: resolve, ask: mutation("resolveAttempt") },
    { type: "ResolveAttemptInput", field: "remedy", value: "none", rest: resolve, ask: mutation("resolveAttempt") },
  ];

  it.each(places)("$type.$field", async ({ value, ...place }) => {
    await expectRefused(place, value, "GRAPHQL_VALIDATION_FAILED");
  });
});

/** Every list, with its page arguments filled in. */
const lists: Readonly<Record<string, (given: string) => string>> = {
  jobs: (given) => `{ page: jobs${given} { edges { cursor } } }`,
  attempts: (given) => `{ page: attempts${given} { edges { cursor } } }`,
  certifications: (given) => `{ page: certifications${given} { edges { cursor } } }`,
  auditLog: (given) => `{ page: auditLog${given} { edges { cursor } } }`,
  "a job's attempts": (given) => `{ job(id: "${jobs[0]}") { page: attempts${given} { edges { cursor } } } }`,
  "another job's attempts": (given) => `{ job(id: "${jobs[1]}") { page: attempts${given} { edges { cursor } } } }`,
};

async function cursorOf(name: string): Promise<string> {
  const data = await server.operator.ask<Record<string, unknown>>(lists[name]!("(first: 1)"));
  const [, cursor] = /"cursor":"([^"]+)"/.exec(JSON.stringify(data)) ?? [];
  return cursor ?? assert.fail(`${name} has no entry, and so no cursor`);
}

describe.each(Object.entries(lists))("%s", (name, ask) => {
  it.each([
    ["(first: 1000)", "first is 1000"],
    ["(last: 1000)", "last is 1000"],
    ["(first: -1)", "first is -1"],
    ["(last: -1)", "last is -1"],
    ["(first: 2147483647)", "first is 2147483647"],
    ["(first: 1, last: 1)", "Both first and last"],
    ['(after: "")', '"" is not a cursor'],
    ['(before: "page 2")', '"page 2" is not a cursor'],
  ])("refuses the page %s, by its path and in words that name the argument", async (given, words) => {
    const fault = await faultOf(ask(given));
    expect(fault).toMatchObject({ extensions: { code: "BAD_USER_INPUT" } });
    expect(fault.path?.at(-1)).toBe("page");
    expect(fault.message).toContain(words);
  });

  it("refuses the cursors of every other list, after and before, and takes its own", async () => {
    for (const argument of ["after", "before"]) {
      for (const other of Object.keys(lists).filter((one) => one !== name)) {
        const fault = await faultOf(ask(`(${argument}: "${await cursorOf(other)}")`));
        expect(fault, `of ${other}`).toMatchObject({ extensions: { code: "BAD_USER_INPUT" } });
      }
      await server.operator.ask(ask(`(${argument}: "${await cursorOf(name)}")`));
    }
  });
});

describe("cancelJobs withdraws nothing", () => {
  it.each([
    ["a filter without a condition", {}, "/filter"],
    ["a filter whose one condition is null", { states: null }, "/filter"],
    ["a filter of nulls", { states: null, operation: null, ownerId: null, createdAfter: null }, "/filter"],
    ["a filter by no state at all", { states: [] }, "/filter/states"],
    ["a filter by no state and another condition", { states: [], operation: "print" }, "/filter/states"],
  ])("by %s: InvalidInput with the place", async (_what, filter, path) => {
    const asked = { filter, reason: "the shop closes" };
    const answer = await server.operator.send("cancel-jobs", asked);
    expect(answer).toMatchObject({ __typename: "InvalidInput", code: "INVALID_INPUT", issues: [{ path }] });
  });

  it("by a filter that is null or absent: refused by GraphQL, with the place", async () => {
    for (const given of [{ filter: null, reason: "x" }, { reason: "x" }]) {
      const document = "mutation ($given: CancelJobsInput!) { cancelJobs(input: $given) { __typename } }";
      const fault = await faultOf(document, { given });
      expect(fault).toMatchObject({ extensions: { code: "BAD_USER_INPUT" } });
      expect(fault.message).toContain("filter");
    }
  });
});
