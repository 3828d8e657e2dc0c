/** Idempotency keys through the API: taken exactly as they are or refused, never ignored; in the input, in the header, in both. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../support/api-answers.ts";
import { documentOf } from "../support/api-client.ts";
import { tokens } from "../support/api-config.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

const intent = { operation: "print", input: { text: "Menu" } };
const jobByKey = async (idempotencyKey: string) =>
  (
    await server.ann.ask<{ jobByKey: { id: string; idempotencyKey: string } | null }>(documentOf("job-by-key"), {
      idempotencyKey,
    })
  ).jobByKey;

describe("a key that is taken (faults 10)", () => {
  const keys: readonly [what: string, key: string][] = [
    ["a UUID", randomUUID()],
    ["one character", "k"],
    ["a digit", "0"],
    ["255 characters", "x".repeat(255)],
    ["64 hexadecimal digits", "0123456789abcdef".repeat(4)],
    ["an emoji", "🖨️"],
    ["a leading space", " menu"],
    ["a trailing space", "menu "],
    ["nothing but a space", " "],
    ["quotes", '"menu"'],
    ["a line break and a tab", "a\n\tb"],
    ["what SQL and LIKE know", "'; drop table jobs; -- %_\\"],
    ["é composed", "caf\u00e9"],
    ["é decomposed", "cafe\u0301"],
    ["upper case", "MENU"],
    ["lower case", "menu"],
  ];

  it.each(keys)("%s is kept exactly, found again, and no other one's", async (_what, idempotencyKey) => {
    const made = await server.ann.create({ idempotencyKey, ...intent });
    expect(made).toMatchObject({ __typename: "CreateJobSuccess", created: true, job: { idempotencyKey } });
    expect(await server.ann.create({ idempotencyKey, ...intent })).toMatchObject({
      created: false,
      job: { id: made.job?.id },
    });
    expect(await jobByKey(idempotencyKey)).toMatchObject({ id: made.job?.id, idempotencyKey });
  });
});

describe("a key that is refused", () => {
  const keys: readonly [what: string, key: string | null][] = [
    ["no key", null],
    ["an empty one", ""],
    ["256 characters", "x".repeat(256)],
    ["10 kB", "x".repeat(10_240)],
    ["NUL within", "a\0b"],
    ["a lone surrogate", "a\ud800"],
  ];

  it.each(keys)(
    "%s: INVALID_INPUT at /idempotencyKey, nothing written, and nothing found by it",
    async (_what, idempotencyKey) => {
      const before = await server.countRows();
      const answer = await server.ann.create({ ...intent, ...(idempotencyKey !== null && { idempotencyKey }) });
      expect(answer.__typename).toBe("InvalidInput");
      expect(answer.issues?.map((issue) => issue.path)).toEqual(["/idempotencyKey"]);
      const [one] = (await server.ann.send("create-jobs", { jobs: [{ ...intent, idempotencyKey }] })).results ?? [];
      expect(one?.issues?.map((issue) => issue.path)).toEqual(["/jobs/0/idempotencyKey"]);
      expect(await server.countRows()).toEqual(before);
      expect(await jobByKey(idempotencyKey ?? "")).toBeNull();
    },
  );
});

describe("the Idempotency-Key header", () => {
  const create = (header: string, more: { idempotencyKey?: string } = {}) =>
    server.ann.create({ ...intent, ...more }, { "idempotency-key": header });

  it.each([
    ["quoted, as the IETF draft has it", '"from a header, quoted"', "from a header, quoted"],
    ["quoted, with escapes", '"a \\"b\\" \\\\ c"', 'a "b" \\ c'],
    ["plain", "plain-from-a-header", "plain-from-a-header"],
  ])("%s stands for the argument", async (_what, header, key) => {
    const made = await create(header);
    expect(made).toMatchObject({ created: true, job: { idempotencyKey: key } });
    expect(await server.ann.create({ idempotencyKey: key, ...intent })).toMatchObject({
      created: false,
      job: { id: made.job?.id },
    });
  });

  it("is accepted beside an equal argument, quoted or plain", async () => {
    expect(await create('"both"', { idempotencyKey: "both" })).toMatchObject({
      created: true,
      job: { idempotencyKey: "both" },
    });
    expect(await create("both", { idempotencyKey: "both" })).toMatchObject({ created: false });
  });

  it.each([
    ["differs from the argument", '"one"', { idempotencyKey: "other" }],
    ["is no quoted string", '"open', {}],
    ["is two strings", '"a", "b"', {}],
    ["is empty", '""', {}],
    ["is too long", "x".repeat(256), {}],
  ])("that %s is refused, and nothing is written", async (_what, header, more) => {
    const before = await server.countRows();
    const answer = await create(header, more);
    expect(answer).toMatchObject({ __typename: "InvalidInput", issues: [{ path: "/idempotencyKey" }] });
    expect(await server.countRows()).toEqual(before);
  });

  const field = (name: string, key: string) =>
    `${name}: createJob(input: {operation: "print", input: {text: "${name}"} ${key}}) { __typename ... on CreateJobSuccess { job { idempotencyKey } } ... on UserError { message } }`;

  it("cannot stand for two createJob fields of one document", async () => {
    const before = await server.countRows();
    const both = await server.ann.ask<Record<string, Answer>>(
      `mutation { ${field("a", "")} ${field("b", "")} }`,
      {},
      { "idempotency-key": '"two"' },
    );
    expect([both["a"]?.__typename, both["b"]?.__typename]).toEqual(["InvalidInput", "InvalidInput"]);
    expect(both["a"]?.message).toContain("2 have no key");
    expect(await server.countRows()).toEqual(before);
  });

  it("stands for the one createJob of a document that has no key of its own", async () => {
    const document = `mutation { ${field("a", ', idempotencyKey: "own"')} ${field("b", "")} }`;
    const both = await server.ann.ask<Record<string, Answer>>(document, {}, { "idempotency-key": '"header\'s"' });
    expect([both["a"]?.job?.idempotencyKey, both["b"]?.job?.idempotencyKey]).toEqual(["own", "header's"]);
  });

  it("sent twice is refused, though Node joins the two with a comma, and nothing is written", async () => {
    const before = await server.countRows();
    const headers = { authorization: `Bearer ${tokens.ann}`, "content-type": "application/json" };
    const asked = request(`${server.url}/graphql`, { method: "POST", headers });
    asked.setHeader("idempotency-key", ["k1", "k2"]).end(JSON.stringify({ query: `mutation { ${field("a", "")} }` }));
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    const { data } = (await json(response)) as { data: Record<string, Answer> };
    expect(data["a"]).toMatchObject({ __typename: "InvalidInput" });
    expect(data["a"]?.message).toContain("2 Idempotency-Key headers");
    expect(await server.countRows()).toEqual(before);
  });

  it("never stands for one of createJobs", async () => {
    const answer = await server.ann.send("create-jobs", { jobs: [intent] }, { "idempotency-key": '"batch"' });
    expect(answer.results?.map((result) => result.__typename)).toEqual(["InvalidInput"]);
    expect(await jobByKey("batch")).toBeNull();
  });
});
