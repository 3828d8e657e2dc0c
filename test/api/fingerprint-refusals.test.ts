/** Inputs that cannot be stored unaltered, through the API: refused with the place, nothing written, and the server goes on. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/server/config/read-limits.ts";
import { createRaw } from "../support/api-raw.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { refusedInputs } from "../support/fingerprint-pairs.ts";

let server: ApiServer;
let before: Awaited<ReturnType<ApiServer["countRows"]>>;
beforeAll(async () => {
  server = await startApiServer();
  await createRaw(server.url, { key: "recorded before", input: "1" });
  before = await server.countRows();
});
afterAll(() => server.stop());

async function expectNothingWritten(): Promise<void> {
  expect(await server.countRows()).toEqual(before);
  expect(await server.ann.ask("{ viewer { ownerId } }")).toEqual({ viewer: { ownerId: "ann" } });
}

describe.each(refusedInputs.map((refused) => [refused.what, refused] as const))("%s", (_what, { input, path }) => {
  it("in a variable is INVALID_INPUT with its place", async () => {
    const { status, answer } = await createRaw(server.url, { key: randomUUID(), input });
    expect({ status, name: answer?.__typename, paths: answer?.issues?.map((issue) => issue.path) }).toEqual({
      status: 200,
      name: "InvalidInput",
      paths: [path],
    });
    await expectNothingWritten();
  });
});

describe.each(refusedInputs.map((refused) => [refused.what, refused] as const))("%s", (_what, refused) => {
  it("in the document is refused as well, by its place or, where GraphQL has no such literal, as a syntax error", async () => {
    const { literal, input, path } = refused;
    const { status, answer, codes } = await createRaw(server.url, { key: randomUUID(), literal: literal ?? input });
    const paths = answer?.issues?.map((issue) => issue.path);
    const expected =
      literal === undefined ? { paths: undefined, codes: ["GRAPHQL_PARSE_FAILED"] } : { paths: [path], codes: [] };
    expect({ status, paths, codes }).toEqual({ status: 200, ...expected });
    await expectNothingWritten();
  });
});

describe("beyond all measure", () => {
  const nested = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;

  it("nesting of 5,000 in a variable is INVALID_INPUT with the place where it goes too deep", async () => {
    const { answer } = await createRaw(server.url, { key: randomUUID(), input: nested });
    expect(answer?.__typename).toBe("InvalidInput");
    expect(answer?.issues).toEqual([
      { path: `/input${"/0".repeat(64)}`, message: expect.stringContaining("64 deep") as string },
    ]);
    await expectNothingWritten();
  });

  it.each([641, 2_000, 5_000, 100_000])(
    "nesting of %i in the document is refused before it is parsed",
    async (depth) => {
      const literal = `${"[".repeat(depth)}${"]".repeat(depth)}`;
      const { status, answer, codes } = await createRaw(server.url, { key: randomUUID(), literal });
      expect({ status, answer, codes }).toEqual({ status: 200, answer: null, codes: ["GRAPHQL_PARSE_FAILED"] });
      await expectNothingWritten();
    },
  );

  it("nesting of 450 in the document is INVALID_INPUT, as in a variable, and brackets in a text are none", async () => {
    const literal = `${"{a: ".repeat(450)}1${"}".repeat(450)}`;
    const { answer } = await createRaw(server.url, { key: randomUUID(), literal });
    expect(answer?.issues?.map((issue) => issue.path)).toEqual([`/input${"/a".repeat(64)}`]);
    const text = await createRaw(server.url, { key: "brackets", literal: `"${"[".repeat(5_000)}"` });
    expect(text.answer).toMatchObject({ created: true });
    before = await server.countRows();
  });

  it("64 levels are stored, and a repeat finds them", async () => {
    const key = randomUUID();
    const input = `${"[".repeat(64)}${"]".repeat(64)}`;
    expect((await createRaw(server.url, { key, input })).answer).toMatchObject({ created: true });
    expect((await createRaw(server.url, { key, input })).answer).toMatchObject({ created: false });
    before = await server.countRows();
  });

  it("100,000 keys past the size limit are refused with the size", async () => {
    const input = `{${Array.from({ length: 100_000 }, (_, index) => `"${index.toString(36)}":1`).join()}}`;
    const { answer } = await createRaw(server.url, { key: randomUUID(), input });
    expect(answer?.issues).toEqual([
      { path: "/input", message: expect.stringContaining(`at most ${256 * 1024}`) as string },
    ]);
    await expectNothingWritten();
  });

  it("100,000 keys under a key that is taken are a conflict, with a handful of differences", async () => {
    const input = `{${Array.from({ length: 100_000 }, (_, index) => `"${index.toString(36)}":1`).join()}}`;
    const { answer } = await createRaw(server.url, { key: "recorded before", input });
    expect(answer).toMatchObject({ __typename: "IdempotencyConflict", differences: ["/input"] });
    await expectNothingWritten();
  });

  it("a body over the limit is refused before it is read as GraphQL", async () => {
    const { status, codes } = await createRaw(server.url, {
      key: randomUUID(),
      input: `"${"x".repeat(defaultLimits.bodyBytes)}"`,
    });
    expect({ status, codes }).toEqual({ status: 413, codes: ["REQUEST_ENTITY_TOO_LARGE"] });
    await expectNothingWritten();
  });
});
