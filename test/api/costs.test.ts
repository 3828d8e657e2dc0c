/** What operations cost: no field that reads from the database is free, documents that clients need are within the limit, and docs/limits.md says it. */
import { readFileSync } from "node:fs";
import { getIntrospectionQuery, getNamedType, getOperationAST, isLeafType, isObjectType, parse } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleVariables } from "../../scripts/api-page/example-variables.ts";
import { costOf, isUncounted, listedPlaces, sizesOf, weights } from "../../src/graphql/costs.ts";
import { buildOnejobSchema } from "../../src/graphql/schema.ts";
import { compileConfig } from "../../src/server/config/compile-config.ts";
import { defaultLimits } from "../../src/server/config/read-limits.ts";
import { operationCost } from "../../src/server/documents/operation-cost.ts";
import { documentOf, type Fields } from "../support/api-client.ts";
import { apiConfig } from "../support/api-config.ts";
import { certify } from "../support/certify.ts";
import { type CountedServer, startCountedServer } from "../support/counted-server.ts";

const schema = buildOnejobSchema();
const types = Object.values(schema.getTypeMap()).filter(isObjectType);
const sizes = sizesOf(compileConfig(apiConfig, {}).catalog, Object.keys(schema.getTypeMap()).length);

function cost(text: string, variables: Fields = {}): number {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (!operation) throw new Error("a document without an operation");
  return operationCost({ schema, document, operation, variables }, sizes) ?? Number.POSITIVE_INFINITY;
}

describe("the table of costs", () => {
  it("says of every list of objects how many there may be", () => {
    const uncounted = types.flatMap((type) =>
      Object.values(type.getFields()).flatMap((field) =>
        isUncounted(type.name, field) ? `${type.name}.${field.name}` : [],
      ),
    );
    expect(uncounted).toEqual([]);
  });

  it("names no field that is not there", () => {
    const places = new Set(
      types.flatMap((type) => Object.keys(type.getFields()).map((name) => `${type.name}.${name}`)),
    );
    expect(listedPlaces.filter((place) => !places.has(place))).toEqual([]);
  });
});

/** Where an object of each type is to be had, with the field to ask it for. */
const reached: Readonly<Record<string, (field: string) => string>> = {
  Query: (field) => field,
  Job: (field) => `jobs { nodes { ${field} } }`,
  Attempt: (field) => `attempts { nodes { ${field} } }`,
  JobEvent: (field) => `jobs { nodes { events(last: 3) { ${field} } } }`,
  JobConnection: (field) => `jobs { ${field} }`,
  AttemptConnection: (field) => `attempts { ${field} }`,
  CertificationConnection: (field) => `certifications { ${field} }`,
  Operation: (field) => `operations { ${field} }`,
  CertificationGate: (field) => `operations { gates { ${field} } }`,
  Provider: (field) => `providers { ${field} }`,
  Certification: (field) => `certifications { nodes { ${field} } }`,
};

/** The fields of each type that send a statement by themselves, so that a test which sees none of them is noticed. */
const reading: Readonly<Record<string, readonly string[]>> = {
  Query: ["node", "job", "jobByKey", "jobs", "attempt", "attempts", "certifications", "auditLog"],
  Job: ["progress", "winner", "latestAttempt", "liveAttempt", "attempts", "events", "viewerCanRetry"],
  Attempt: ["job", "viewerCanCancel"],
  JobEvent: ["attempt"],
  JobConnection: ["totalCount"],
  AttemptConnection: ["totalCount"],
  CertificationConnection: [],
  Operation: ["gates"],
  CertificationGate: ["certification"],
  Provider: ["pausedAt", "pauseReason"],
  Certification: ["checks"],
};

describe("a field that reads from the database costs its statements", () => {
  let server: CountedServer;
  beforeAll(async () => {
    server = await startCountedServer();
    const { operations } = await server.ann.ask<{ operations: { name: string; contractDigest: string }[] }>(
      "{ operations { name contractDigest } }",
    );
    for (const { name: operation, contractDigest } of operations)
      await certify(server.sql, { operation, contractDigest });
    for (const end of ["waits", "runs", "succeeds", "fails"]) {
      const { job } = await server.ann.create({ idempotencyKey: end, operation: "print", input: { text: "Menu" } });
      if (job === undefined) throw new Error("no job was made");
      if (end === "waits") continue;
      const taken = await server.worker.take(job.id);
      await taken.running();
      if (end === "succeeds") await taken.complete({ pages: 1 });
      if (end === "fails") await taken.fail("DEFINITE", { remedy: "NONE" });
    }
  });
  afterAll(() => server.stop());

  const id = "01m8m6k3a5eh2rxbz2q4g09k9v";
  const given: Readonly<Record<string, string>> = {
    node: `(id: "job_${id}")`,
    job: `(id: "job_${id}")`,
    attempt: `(id: "att_${id}")`,
    jobByKey: '(idempotencyKey: "waits")',
  };

  async function statementsOf(type: string, field: string): Promise<number> {
    const api = type === "Query" ? server.operator : server.ann;
    const query = `{ ${reached[type]?.(field)} }`;
    return (await server.statementsOf(() => api.ask(query))).length;
  }

  it.each(Object.keys(reached))("every field of %s", async (name) => {
    const type = schema.getType(name);
    if (!isObjectType(type)) throw new Error(`There is no type ${name}.`);
    const withoutField = await statementsOf(name, "__typename");
    const seen: string[] = [];
    for (const field of Object.values(type.getFields())) {
      const selection = isLeafType(getNamedType(field.type)) ? "" : " { __typename }";
      const asked = `${field.name}${name === "Query" ? (given[field.name] ?? "") : ""}${selection}`;
      const statements = (await statementsOf(name, asked)) - withoutField;
      if (statements > 0) seen.push(field.name);
      const said = costOf(name, field).once / weights.statement;
      expect(said, `${name}.${field.name} sends ${statements} statements`).toBeGreaterThanOrEqual(statements);
    }
    expect(seen).toEqual(reading[name]);
  });
});

const limit = defaultLimits.complexity;
const createMany = (count: number) => ({
  input: { jobs: Array.from({ length: count }, () => ({ operation: "print", input: { text: "Menu" } })) },
});

describe("at the default limit", () => {
  it.each([
    ["jobs", { first: 100 }],
    ["attempts", { first: 100 }],
    ["certifications", { first: 100 }],
    ["audit-log", { first: 100 }],
    ["job", { id: "1", attempts: 100 }],
    ["create-jobs", createMany(1_000)],
    ["cancel-jobs", { input: { filter: {}, limit: 1_000, reason: "The shop is closed." } }],
    ["claim-attempts", { input: { workerId: "w", providers: ["inkjet"], limit: 100 } }],
    ...Object.entries(exampleVariables),
  ] as const)("the document %s is answered with the largest pages that it takes", (name, variables) => {
    expect(cost(documentOf(name), variables)).toBeLessThanOrEqual(limit);
  });

  it("GraphiQL may ask for the schema", () => {
    expect(cost(getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }))).toBeLessThanOrEqual(limit / 10);
  });

  it.each([
    "{ jobs(first: 100) { nodes { attempts(first: 100) { nodes { job { events { number } } } } } } }",
    "{ jobs(first: 100) { nodes { attempts(first: 100) { nodes { job { attempts(first: 100) { nodes { id } } } } } } } }",
    "{ jobs(first: 100) { nodes { events(first: 500) { number } } } }",
  ])("%s is refused", (query) => expect(cost(query)).toBeGreaterThan(limit));
});

describe("docs/limits.md", () => {
  const page = readFileSync(new URL("../../docs/limits.md", import.meta.url), "utf8");
  const shown = (value: number) => value.toLocaleString("en");

  it("gives its examples the cost that they have", () => {
    const examples = [...page.matchAll(/^\| `(\{.+\})` \| ([\d,]+) \|/gm)].map(([, query = "", said = ""]) => ({
      query,
      said,
    }));
    expect(examples.length).toBeGreaterThanOrEqual(5);
    expect(examples.map(({ query }) => shown(cost(query)))).toEqual(examples.map(({ said }) => said));
  });

  it("gives the weights and the defaults that there are", () => {
    for (const weight of Object.values(weights)) expect(page).toContain(`| ${shown(weight)} |`);
    const { documentTokens, depth, aliases, complexity } = defaultLimits;
    for (const value of [documentTokens, depth, aliases, complexity]) expect(page).toContain(`| ${shown(value)} |`);
  });
});
