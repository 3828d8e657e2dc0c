/** The manifest of persisted documents as the server reads it at its start: every fault names its document. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildOnejobSchema } from "../../../src/graphql/schema.ts";
import { defaultHttpSettings } from "../../../src/server/config/read-http.ts";
import { loadPersistedDocuments } from "../../../src/server/documents/persisted-documents.ts";
import { StartupFault } from "../../../src/server/startup-fault.ts";

const schema = buildOnejobSchema();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "onejob-manifest-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function linesOf(text: string, settings = {}): Promise<readonly string[]> {
  const manifest = join(folder, "manifest.json");
  await writeFile(manifest, text);
  const http = { ...defaultHttpSettings, persistedDocuments: { manifest, only: false }, ...settings };
  try {
    await loadPersistedDocuments(http, schema);
    return [];
  } catch (error) {
    if (error instanceof StartupFault) return error.lines;
    throw error;
  }
}

const manifestOf = (documents: object) => JSON.stringify(documents);

it("takes documents of any length that fit the schema", async () => {
  const long = `{ viewer { ${Array.from({ length: 10_000 }, (_, i) => `a${i}: ownerId`).join(" ")} } }`;
  expect(await linesOf(manifestOf({ "a-1": "{ viewer { ownerId } }", "b-1": long }))).toEqual([]);
});

it.each([
  ["no JSON", "{", /is no JSON/],
  ["a list", "[]", /is no object of documents by id/],
  ["no document at all", "{}", /holds no document/],
  ["a document that is no text", '{ "a-1": 7 }', /"a-1" is no text/],
  ["a document that is no GraphQL", manifestOf({ "a-1": "{" }), /"a-1" is not valid: Syntax Error/],
  [
    "a document of another schema",
    manifestOf({ "a-1": "{ users { id } }" }),
    /"a-1" is not valid: Cannot query field "users"/,
  ],
  [
    "a condition at the root of a subscription",
    manifestOf({ "a-1": "subscription { jobsUpdated @skip(if: true) { id } }" }),
    /"a-1" is not valid: A subscription takes no @skip/,
  ],
  [
    "two documents of one id",
    manifestOf({ "sha256:a": "{ viewer { ownerId } }", a: "{ viewer { roles } }" }),
    /"a" is there twice/,
  ],
])("refuses %s", async (_what, text, says) => {
  const lines = await linesOf(text);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(says);
});

it("tells all faults, each with its id", async () => {
  const lines = await linesOf(manifestOf({ "a-1": "{ a }", "b-1": "{ viewer { ownerId } }", "c-1": "{ c }" }));
  expect(lines.map((line) => /"(\w-1)"/.exec(line)?.[1])).toEqual(["a-1", "c-1"]);
});

it("refuses a file that is not there", async () => {
  const persistedDocuments = { manifest: join(folder, "nowhere.json"), only: false };
  const loading = loadPersistedDocuments({ ...defaultHttpSettings, persistedDocuments }, schema);
  await expect(loading).rejects.toThrow(/manifest cannot be read/);
});

it("refuses documents that ask for the schema, where it is not shown", async () => {
  const asking = manifestOf({ "a-1": "{ __schema { types { name } } }" });
  expect(await linesOf(asking)).toEqual([]);
  expect((await linesOf(asking, { introspection: false }))[0]).toContain("does not show its schema");
});
