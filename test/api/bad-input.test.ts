/** What callers get wrong, through the API: names nobody knows, inputs off the schema, sizes and cursors. Refused with the place, nothing written. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Answer } from "../support/api-answers.ts";
import { documentOf, type Fields, refusalOf } from "../support/api-client.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { captureLog } from "../support/capture-log.ts";

const { log, expectSilence } = captureLog();
let server: ApiServer;
let before: unknown;
beforeAll(async () => {
  server = await startApiServer({ log });
  await newJob(server);
});
beforeEach(async () => {
  before = await server.countRows();
});
/** No database error is behind any of these answers: the log would tell of it. */
afterEach(expectSilence);
afterAll(() => server.stop());

const create = (fields: Fields): Promise<Answer> =>
  server.ann.create({ idempotencyKey: randomUUID(), operation: "print", input: { text: "Menu" }, ...fields });

async function expectIssues(
  answer: Answer,
  ...issues: readonly (readonly [path: string, message: string])[]
): Promise<void> {
  expect(answer).toMatchObject({ __typename: "InvalidInput", code: "INVALID_INPUT" });
  expect(answer.issues).toEqual(
    issues.map(([path, message]) => ({ path, message: expect.stringContaining(message) as string })),
  );
  expect(await server.countRows()).toEqual(before);
}

describe("createJob", () => {
  it("answers an unknown operation with those that there are", async () => {
    await expectIssues(await create({ operation: "fax" }), ["/operation", '"print", "quick"']);
  });

  it("answers an unknown provider with those of the operation", async () => {
    await expectIssues(await create({ provider: "typewriter" }), ["/provider", 'Known ones: "inkjet", "laser".']);
  });

  it("refuses a provider that does not offer the operation", async () => {
    await expectIssues(await create({ provider: "plotter" }), ["/provider", "does not offer"]);
  });

  it("refuses unknown, repeated and circular fallbacks, each in its place", async () => {
    await expectIssues(
      await create({ operation: "any", fallbackProviders: ["laser", "laser", "inkjet", "typewriter"] }),
      ["/fallbackProviders/1", "among the fallbacks before"],
      ["/fallbackProviders/2", "is the target itself"],
      ["/fallbackProviders/3", "There is no provider"],
    );
  });

  it("names every fault of an input at once, by JSON Pointers, those of a closed object too", async () => {
    const answer = await create({ input: { text: 7, copies: 0, tray: "middle", colour: "blue" }, priority: 101 });
    const paths = answer.issues?.map((issue) => issue.path);
    expect(new Set(paths)).toEqual(
      new Set(["/input/text", "/input/copies", "/input/tray", "/input/colour", "/priority"]),
    );
    expect(await server.countRows()).toEqual(before);
  });

  it.each([
    ["an array", []],
    ["a text", "Menu"],
    ["an empty object", {}],
  ])("refuses %s as the input", async (_what, input) => {
    expect(await create({ input })).toMatchObject({ __typename: "InvalidInput" });
    expect(await server.countRows()).toEqual(before);
  });

  it("has null for the input refused by GraphQL itself, before there is a mutation to answer", async () => {
    expect(await refusalOf(create({ input: null }))).toMatchObject({ code: "BAD_USER_INPUT" });
    expect(await server.countRows()).toEqual(before);
  });

  it("refuses metadata that cannot be stored, or is too large", async () => {
    await expectIssues(await create({ metadata: { note: "a\0b" } }), ["/metadata/note", "U+0000"]);
    await expectIssues(await create({ metadata: "x".repeat(20_000) }), ["/metadata", "bytes"]);
  });

  it("refuses an input over 256 KiB", async () => {
    await expectIssues(await create({ operation: "any", input: "x".repeat(256 * 1024) }), [
      "/input",
      `at most ${256 * 1024}`,
    ]);
  });
});

describe("createJobs", () => {
  it("answers each of its jobs, in order, with places that name which one", async () => {
    const jobs = [
      { idempotencyKey: randomUUID(), operation: "print", input: { text: "Menu" } },
      { idempotencyKey: randomUUID(), operation: "fax", input: {} },
      { idempotencyKey: randomUUID(), operation: "print", input: {} },
    ];
    const { results } = await server.ann.send("create-jobs", { jobs });
    expect(results?.map((result) => result.__typename)).toEqual(["CreateJobSuccess", "InvalidInput", "InvalidInput"]);
    expect(results?.flatMap((result) => result.issues ?? []).map((issue) => issue.path)).toEqual([
      "/jobs/1/operation",
      "/jobs/2/input/text",
    ]);
  });

  it("refuses more than 1,000 at once", async () => {
    const jobs = Array.from({ length: 1_001 }, () => ({ operation: "print", input: {} }));
    await expectIssues(await server.ann.send("create-jobs", { jobs }), ["/jobs", "at most 1000"]);
  });
});

describe("the other mutations", () => {
  it("retryJob answers an unknown provider with those that there are, and wants a reason for an override", async () => {
    const { id, latestAttempt } = await newJob(server);
    before = await server.countRows();
    const retry = (fields: Fields) => server.operator.retry(id, latestAttempt.id, fields);
    await expectIssues(await retry({ provider: "typewriter" }), [
      "/provider",
      'Known ones: "inkjet", "laser", "plotter".',
    ]);
    await expectIssues(await retry({ provider: "laser", overrideGate: true }), ["/reason", "reason"]);
    await expectIssues(await retry({ provider: "laser", overrideGate: true, reason: " " }), ["/reason", "reason"]);
  });

  it("a reason that cannot be stored is refused", async () => {
    const { id, latestAttempt } = await newJob(server);
    before = await server.countRows();
    await expectIssues(await server.ann.cancelAttempt(latestAttempt.id, "a\0b"), ["/reason", "U+0000"]);
    await expectIssues(await server.ann.send("cancel-job", { jobId: id, reason: "x".repeat(2_001) }), [
      "/reason",
      "2001",
    ]);
  });

  it("claimAttempts names what of its input does not fit", async () => {
    const claim = {
      workerId: "",
      providers: ["typewriter"],
      operations: ["fax"],
      limit: 0,
      claimKey: "",
      waitMs: 30_001,
    };
    const answer = await server.worker.api.send("claim-attempts", claim);
    const paths = ["/workerId", "/providers/0", "/operations/0", "/limit", "/claimKey", "/waitMs"];
    expect(answer.issues?.map((issue) => issue.path)).toEqual(paths);
    await expectIssues(await server.worker.api.send("claim-attempts", { workerId: "w", providers: [] }), [
      "/providers",
      "No provider",
    ]);
  });
});

describe("lists", () => {
  const pages: readonly [what: string, variables: Fields][] = [
    ["a page of 101", { first: 101 }],
    ["a last page of 101", { last: 101 }],
    ["a negative page", { first: -1 }],
    ["both first and last", { first: 1, last: 1 }],
    ["a malformed cursor", { after: "page-2" }],
    ["an empty cursor", { after: "" }],
    ["a cursor of another list", { before: Buffer.from("events 2026 job_1").toString("base64url") }],
    ["a cursor with NUL", { after: Buffer.from("jobs \0 \0").toString("base64url") }],
  ];

  it.each(["jobs", "attempts"])(
    "%s refuse what is no page, with BAD_USER_INPUT and never a database error",
    async (list) => {
      for (const [what, variables] of pages) {
        expect(await refusalOf(server.ann.ask(documentOf(list), variables)), what).toMatchObject({
          status: 200,
          code: "BAD_USER_INPUT",
        });
      }
    },
  );

  it("a job's attempts and events refuse the same", async () => {
    const { id } = await newJob(server);
    const asks = [
      "attempts(first: 101) { nodes { id } }",
      'attempts(after: "x") { nodes { id } }',
      "attempts(first: 1, last: 1) { nodes { id } }",
      "events(first: 501) { number }",
      "events(after: -1) { number }",
    ];
    for (const ask of asks) {
      const refusal = await refusalOf(server.ann.ask(`query ($id: ID!) { job(id: $id) { ${ask} } }`, { id }));
      expect(refusal, ask).toMatchObject({ code: "BAD_USER_INPUT" });
    }
  });
});
