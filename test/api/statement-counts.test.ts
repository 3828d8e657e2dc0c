/** How many statements a call costs the database, counted on the wire: as many for a page of fifty as for one of five. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { JobView } from "../support/api-answers.ts";
import type { Api, Fields } from "../support/api-client.ts";
import { certify } from "../support/certify.ts";
import { type CountedServer, startCountedServer } from "../support/counted-server.ts";

let server: CountedServer;

const intents = (count: number) =>
  Array.from({ length: count }, () => ({ idempotencyKey: randomUUID(), operation: "print", input: { text: "Menu" } }));

async function createMany(count: number): Promise<JobView[]> {
  const { results = [] } = await server.ann.send("create-jobs", { jobs: intents(count) });
  return results.flatMap(({ job }) => job ?? []);
}

/** Each has failed on the inkjet and was taken over by the laser, with a certification; there it prints, has printed, or failed. */
async function liveThrough(job: JobView, index: number): Promise<void> {
  const first = await server.worker.take(job.id);
  await first.running();
  await first.fail("DEFINITE", { remedy: "NONE" });
  await server.ann.retry(job.id, first.attempt.id, { provider: "laser" });
  const second = await server.worker.take(job.id);
  await second.running();
  if (index % 3 === 0) await second.beat({ fraction: 0.5 });
  else if (index % 3 === 1) await second.complete({ pages: 1 });
  else await second.fail("DEFINITE", { remedy: "NONE" });
}

beforeAll(async () => {
  server = await startCountedServer();
  const { operations } = await server.ann.ask<{ operations: { name: string; contractDigest: string }[] }>(
    "{ operations { name contractDigest } }",
  );
  for (const { name: operation, contractDigest } of operations) {
    for (let run = 0; run < 8; run += 1) {
      const id = await certify(server.sql, { operation, contractDigest });
      await server.sql`insert into certification_checks (certification_id, ordinal, code, passed, runs, failures)
        values (${id}, 1, 'output.schema', true, 3, 0)`;
    }
  }
  for (const [index, job] of (await createMany(50)).entries()) await liveThrough(job, index);
  for (let act = 0; act < 10; act += 1) {
    await server.operator.send("pause-provider", { provider: "plotter", reason: "Out of ink." });
    await server.operator.send("resume-provider", { provider: "plotter" });
  }
});
afterAll(() => server.stop());

const state = "id state stateChangedAt progress { fraction } viewerCanCancel providerName provider { name }";
const job = `id state progress { fraction } viewerCanRetry viewerCanCancel operation { name } provider { name }
  latestAttempt { ${state} } winner { ${state} } liveAttempt { ${state} } events(first: 10) { number type }`;
const everything = `${job} attempts { nodes { certification { id status checks { code } } job { id } } }
  newest: events(last: 10, first: 0) { attempt { ${state} } job { id winner { id } } }
  now: provider { pausedAt pauseReason } operation { gates { open certification { id } provider { pausedAt } } }`;
const check = "id status checks { code } operation { name } provider { name pausedAt }";

/** A page by its size, what it may cost, and where its nodes are. */
const pages: readonly (readonly [name: string, most: number, document: string])[] = [
  ["jobs with attempts, winner and ten events", 5, `query ($n: Int!) { jobs(first: $n) { nodes { ${job} } } }`],
  ["the same with the count", 5, `query ($n: Int!) { jobs(first: $n) { nodes { ${job} } totalCount } }`],
  ["jobs with all that hangs on them", 12, `query ($n: Int!) { jobs(first: $n) { nodes { ${everything} } } }`],
  [
    "attempts with job and the job's winner",
    4,
    `query ($n: Int!) { attempts(first: $n) { nodes { ${state} job { id state winner { ${state} } } } totalCount } }`,
  ],
  ["certifications with checks", 3, `query ($n: Int!) { certifications(first: $n) { nodes { ${check} } } }`],
];

interface Page {
  readonly nodes: readonly Fields[];
}

async function readPage(api: Api, document: string, n: number): Promise<string[]> {
  return server.statementsOf(async () => {
    const [page] = Object.values(await api.ask<Record<string, Page>>(document, { n }));
    expect(page?.nodes).toHaveLength(n);
  });
}

/** The same statements as often, in whatever order they were sent. */
function expectSame(statements: readonly string[], others: readonly string[], most: number): void {
  expect(statements.length, statements.join("\n\n")).toBeLessThanOrEqual(most);
  expect(statements.length, `${statements.join("\n\n")}\n\nagainst\n\n${others.join("\n\n")}`).toBe(others.length);
}

describe.each(["ann", "operator"] as const)("read by %s", (caller) => {
  test.each(pages)("a page of %s costs at most %i statements, whatever its size", async (_name, most, document) => {
    const ofFive = await readPage(server.as(caller), document, 5);
    const ofFifty = await readPage(server.as(caller), document, 50);
    expectSame(ofFifty, ofFive, most);
  });
});

test("what the first page shows is there: winners, events, gates that were asked", async () => {
  const { page } = await server.ann.ask<{ page: { nodes: readonly (JobView & { events: unknown[] })[] } }>(
    `{ page: jobs(first: 50) { nodes { ${job} } } }`,
  );
  for (const node of page.nodes) expect(node.events.length).toBeGreaterThan(8);
  const inState = (name: string) => page.nodes.filter((node) => node.state === name);
  expect(["SUCCEEDED", "RUNNING", "FAILED"].map((name) => inState(name).length)).toEqual([17, 17, 16]);
  expect(inState("SUCCEEDED").every(({ winner }) => winner !== null)).toBe(true);
  expect(inState("FAILED").every(({ viewerCanRetry }) => viewerCanRetry)).toBe(true);
});

test("operations with their gates cost as much as one of them", async () => {
  const { operations } = await server.ann.ask<{ operations: { id: string }[] }>("{ operations { id } }");
  const gates = "gates { open reason certification { id status } provider { pausedAt } } providers { pausedAt }";
  const one = `{ node(id: "${operations[0]?.id}") { ... on Operation { ${gates} } } }`;
  const ofOne = await server.statementsOf(() => server.ann.ask(one));
  const ofAll = await server.statementsOf(() => server.ann.ask(`{ operations { ${gates} } }`));
  expect(operations.length).toBeGreaterThan(5);
  expectSame(ofAll, ofOne, 4);
});

describe("looked up twenty at once", () => {
  const aliased = (fields: readonly string[]) => `{ ${fields.map((field, index) => `n${index}: ${field}`).join(" ")} }`;
  const idsOf = async (field: string) =>
    (await server.operator.ask<{ page: { nodes: { id: string }[] } }>(`{ page: ${field}(first: 20) { nodes { id } } }`))
      .page.nodes;

  it.each([
    ["jobs", `... on Job { ${job} }`, 5],
    ["attempts", `... on Attempt { ${state} job { id winner { id } } }`, 3],
    ["certifications", `... on Certification { ${check} }`, 3],
    ["auditLog", "... on AuditEntry { actor }", 1],
  ])("%s cost as much as one", async (field, shown, most) => {
    const fields = (await idsOf(field)).map(({ id }) => `node(id: "${id}") { id ${shown} }`);
    expect(fields).toHaveLength(20);
    const read = (some: readonly string[]) =>
      server.statementsOf(async () => {
        expect(Object.values(await server.operator.ask<object>(aliased(some)))).not.toContain(null);
      });
    expectSame(await read(fields), await read(fields.slice(0, 3)), most);
  });
});

describe("createJobs with a hundred items costs as much as with one", () => {
  type Intents = ReturnType<typeof intents>;
  const send = (items: Intents, typename: string) =>
    server.statementsOf(async () => {
      const { results = [] } = await server.ann.send("create-jobs", { jobs: items });
      expect(new Set(results.map(({ __typename }) => __typename))).toEqual(new Set([typename]));
      expect(results).toHaveLength(items.length);
    });
  const other = (items: Intents) => items.map((item) => ({ ...item, input: { text: "Another menu" } }));
  const broken = (items: Intents) => items.map((item) => ({ ...item, operation: "unheard of" }));

  it("of new intents: the insert, then their jobs and attempts", async () => {
    expectSame(await send(intents(100), "CreateJobSuccess"), await send(intents(1), "CreateJobSuccess"), 3);
  });

  it("of repeats: who holds the keys comes on top", async () => {
    const items = intents(100);
    await send(items, "CreateJobSuccess");
    const ofOne = await send(items.slice(0, 1), "CreateJobSuccess");
    expectSame(await send(items, "CreateJobSuccess"), ofOne, 4);
  });

  it("of conflicts", async () => {
    const items = intents(100);
    await send(items, "CreateJobSuccess");
    const ofOne = await send(other(items.slice(0, 1)), "IdempotencyConflict");
    expectSame(await send(other(items), "IdempotencyConflict"), ofOne, 5);
  });

  it("of broken intents: only who holds the keys is asked", async () => {
    expectSame(await send(broken(intents(100)), "InvalidInput"), await send(broken(intents(1)), "InvalidInput"), 1);
  });
});
