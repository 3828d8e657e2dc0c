/** The first breaking point, through the API: creates with one key at the same time make one job, whoever serves them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../support/api-answers.ts";
import { type Api, connectApi, typesOf } from "../support/api-client.ts";
import { type ApiProcess, startApiProcesses } from "../support/api-process.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";

let server: ApiServer;
let processes: readonly ApiProcess[] = [];

beforeAll(async () => {
  server = await startApiServer();
  processes = await startApiProcesses(server.databaseUrl, 2);
}, 120_000);
afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  await server.stop();
});

const intent = (idempotencyKey: string) => ({ idempotencyKey, operation: "print", input: { text: "Menu", copies: 2 } });

/** All at once; every answer must be a success. */
function createMany(apis: readonly Api[], each: number, key: string): Promise<Answer[]> {
  return Promise.all(Array.from({ length: each }, () => apis.map((api) => api.create(intent(key)))).flat());
}

async function expectOneJob(answers: readonly Answer[]): Promise<void> {
  expect(new Set(answers.map((answer) => answer.__typename))).toEqual(new Set(["CreateJobSuccess"]));
  const ids = new Set(answers.map((answer) => answer.job?.id));
  expect(ids.size).toBe(1);
  expect(answers.filter((answer) => answer.created)).toHaveLength(1);
  const job = await server.ann.job([...ids][0] ?? "");
  expect(job).toMatchObject({ state: "QUEUED", version: 1, lastEventNumber: 2 });
  expect(job.attempts.nodes.map(({ number, state }) => ({ number, state }))).toEqual([{ number: 1, state: "QUEUED" }]);
  expect(typesOf(job.events)).toEqual(["JOB_CREATED", "ATTEMPT_QUEUED"]);
  expect(await server.sql`select 1 from jobs where idempotency_key = ${job.idempotencyKey}`).toHaveLength(1);
}

describe("creates with one key make one job, with one attempt and one set of events", () => {
  it("of two at once", async () => {
    await expectOneJob(await createMany([server.ann], 2, "two at once"));
  });

  it("of a hundred at once", async () => {
    await expectOneJob(await createMany([server.ann], 100, "a hundred at once"));
  });

  it("of 200 over two server processes on one database, a hundred to each, none of them with an error (faults 6)", async () => {
    const apis = processes.map(({ url }) => connectApi(url, "ann"));
    await expectOneJob(await createMany(apis, 100, "two hundred"));
  });

  it("of two tokens of one owner, through two server processes (faults 12)", async () => {
    const [first, second] = processes.map(({ url }, index) => connectApi(url, index === 0 ? "ann" : "annAtHome"));
    await expectOneJob(await createMany([first!, second!], 20, "two tokens"));
  });

  it("of one request that creates the same twice, in two fields and in one batch", async () => {
    const fields = ["first", "second"].map(
      (name) => `${name}: createJob(input: $input) { ... on CreateJobSuccess { created job { id } } }`,
    );
    const document = `mutation ($input: CreateJobInput!) { ${fields.join(" ")} }`;
    const twice = await server.ann.ask<Record<string, Answer>>(document, { input: intent("twice") });
    const batch = await server.ann.send("create-jobs", { jobs: [intent("twice"), intent("twice")] });
    const ids = new Set([...Object.values(twice), ...(batch.results ?? [])].map((answer) => answer.job?.id));
    expect(ids.size).toBe(1);
    expect([twice["first"]?.created, twice["second"]?.created]).toEqual([true, false]);
    expect(batch.results?.map((answer) => answer.created)).toEqual([false, false]);
  });
});

describe("a double click", () => {
  it("with another spelling of the same JSON makes one job", async () => {
    const spellings = [
      '{"text":"Caf\\u00e9","copies":2}',
      '{ "copies" : 2.0, "text" : "Café" }',
      '{"copies":2e0,"text":"Caf\\u00E9"}',
    ];
    const bodies = spellings.map(
      (input) =>
        `{"query":"mutation ($input: JSON!) { createJob(input: {idempotencyKey: \\"spelt\\", operation: \\"print\\", input: $input}) { ... on CreateJobSuccess { created job { id input } } } }","variables":{"input":${input}}}`,
    );
    const headers = { "content-type": "application/json", authorization: "Bearer token-of-ann-at-her-desk" };
    const responses = await Promise.all(
      [...bodies, ...bodies].map((body) => fetch(`${server.url}/graphql`, { method: "POST", headers, body })),
    );
    const answers = await Promise.all(
      responses.map(async (response) => ((await response.json()) as { data: { createJob: Answer } }).data.createJob),
    );
    expect(new Set(answers.map((answer) => answer.job?.id)).size).toBe(1);
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
    expect(answers[0]?.job).toHaveProperty("input", { text: "Café", copies: 2 });
  });

  it("after the job has ended gives the job with its result, and starts nothing", async () => {
    const { job } = await server.ann.create(intent("ended"));
    const held = await server.worker.take(job!.id);
    await held.complete({ pages: 3 });
    const before = await server.rowsOf(job!.id);
    const again = await server.ann.create(intent("ended"));
    expect(again).toMatchObject({ created: false, job: { id: job!.id, state: "SUCCEEDED", result: { pages: 3 } } });
    expect(await server.rowsOf(job!.id)).toEqual(before);
  });
});
