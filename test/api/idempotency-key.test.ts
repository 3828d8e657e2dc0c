/** The Idempotency-Key header: how it is written, and when it stands for the input's key. */
import { execute, type GraphQLResolveInfo, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { type KeyRead, parseKeyHeader, readIdempotencyKey } from "../../src/graphql/mutations/read-idempotency-key.ts";
import { buildOnejobSchema } from "../../src/graphql/schema.ts";

const message: unknown = expect.stringContaining("header");
const refused = { issue: { path: "/idempotencyKey", message } };

describe("the header's text", () => {
  it.each([
    ['"8e03978e-40d5-43dd-bc93-6894a57f9324"', "8e03978e-40d5-43dd-bc93-6894a57f9324"],
    ['"a \\"quoted\\" \\\\ key"', 'a "quoted" \\ key'],
    ['"key";version=1', "key"],
    [' "key" ', "key"],
    ["plain-key", "plain-key"],
    ["a, b", "a, b"],
    ["", ""],
    ['""', ""],
  ])("%s is a key", (header, key) => {
    expect(parseKeyHeader(header)).toEqual({ key });
  });

  it.each(['"open', '"a" "b"', '"a", "b"', '"a\\n"', '"\\"', '"tab\there"', '"ü"', "ü", "a\tb"])(
    "%j is none",
    (header) => {
      expect(parseKeyHeader(header)).toEqual(refused);
    },
  );
});

const schema = buildOnejobSchema();

/** What each executed createJob of a document reads, by response key; the verb itself is put aside. */
async function readAll(
  document: string,
  header: string | readonly string[] | null,
  variableValues: Record<string, unknown> = {},
): Promise<Record<string, KeyRead>> {
  const reads: Record<string, KeyRead> = {};
  const field = schema.getMutationType()!.getFields()["createJob"]!;
  const original = field.resolve;
  const headers = header === null ? [] : [header].flat();
  field.resolve = (_root, { input }: { input: { idempotencyKey?: string } }, _context, info: GraphQLResolveInfo) => {
    reads[String(info.path.key)] = readIdempotencyKey(input.idempotencyKey, headers, info);
    return { __typename: "CreateJobSuccess" };
  };
  try {
    const result = await execute({ schema, document: parse(document), variableValues });
    expect(result.errors).toBeUndefined();
  } finally {
    if (original !== undefined) field.resolve = original;
  }
  return reads;
}

const create = (fields: string) => `createJob(input: {operation: "print", input: {} ${fields}}) { __typename }`;

describe("the header and the input", () => {
  it("each alone is the key", async () => {
    expect(await readAll(`mutation { ${create("")} }`, '"h"')).toEqual({ createJob: { key: "h" } });
    expect(await readAll(`mutation { ${create('idempotencyKey: "i"')} }`, null)).toEqual({ createJob: { key: "i" } });
    expect(await readAll(`mutation { ${create("")} }`, null)).toEqual({ createJob: { key: null } });
  });

  it("together must be equal, character by character", async () => {
    const document = `mutation { ${create('idempotencyKey: "k"')} }`;
    expect(await readAll(document, '"k"')).toEqual({ createJob: { key: "k" } });
    expect(await readAll(document, "K")).toEqual({ createJob: refused });
    expect(await readAll(document, '"broken')).toEqual({ createJob: refused });
  });

  it("the header stands for one field, wherever it is selected", async () => {
    const document = `
      mutation ($none: String, $input: CreateJobInput!) {
        ...Outer
        ... on Mutation { keyed: ${create('idempotencyKey: "k"')} }
        skipped: createJob(input: $input) @skip(if: true) { __typename }
      }
      fragment Outer on Mutation { ...Inner ...Inner }
      fragment Inner on Mutation { one: ${create("idempotencyKey: $none")} }`;
    const variables = { input: { operation: "print", input: {} } };
    expect(await readAll(document, "h", variables)).toEqual({ one: { key: "h" }, keyed: { key: "k" } });
  });

  it("the header stands for none of several", async () => {
    const document = `mutation ($input: CreateJobInput!) { a: ${create("")} b: createJob(input: $input) { __typename } }`;
    const keyless = { operation: "print", input: {} };
    expect(await readAll(document, "h", { input: keyless })).toEqual({ a: refused, b: refused });
    expect(await readAll(document, "h", { input: { ...keyless, idempotencyKey: "k" } })).toEqual({
      a: { key: "h" },
      b: { key: "k" },
    });
  });

  it("two headers are no key, be they the same or beside one in the input", async () => {
    const twice: unknown = {
      issue: { path: "/idempotencyKey", message: expect.stringContaining("2 Idempotency-Key") },
    };
    expect(await readAll(`mutation { ${create("")} }`, ["h", "i"])).toEqual({ createJob: twice });
    expect(await readAll(`mutation { ${create("")} }`, ['"h"', '"h"'])).toEqual({ createJob: twice });
    expect(await readAll(`mutation { ${create('idempotencyKey: "h"')} }`, ["h", "h"])).toEqual({ createJob: twice });
  });

  it("an empty one is a key that is refused later, never ignored", async () => {
    expect(await readAll(`mutation { ${create("")} }`, "")).toEqual({ createJob: { key: "" } });
    expect(await readAll(`mutation { ${create('idempotencyKey: ""')} }`, null)).toEqual({ createJob: { key: "" } });
  });
});
