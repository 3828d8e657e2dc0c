/** Persisted documents by every transport: how a call names one, what an unknown id and a document of one's own are answered. */
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiConfig } from "../../support/api-config.ts";
import { type ApiServer, startApiServer } from "../../support/api-server.ts";
import { type DocumentCall, everyWay, openDocumentSocket, waysToSend } from "../../support/document-calls.ts";
import { createMigratedDatabase, type TestDatabase } from "../../support/test-database.ts";

const viewer = "query Viewer { viewer { ownerId } }";
const hash = createHash("sha256").update(viewer).digest("hex");
const times = (count: number, text: string) => Array.from({ length: count }, () => text).join(" ");
const manifest = {
  [`sha256:${hash}`]: viewer,
  "long-1": `{ viewer { ${times(300, "ownerId")} } }`,
  "dear-1": "query ($n: Int!) { jobs(first: $n) { nodes { events { number } } } }",
  "create-1": "mutation ($input: CreateJobInput!) { createJob(input: $input) { __typename } }",
  "follow-1": "subscription { jobsUpdated { id } }",
  ["__proto__"]: viewer,
};
const limits = { documentTokens: 100, complexity: 5_000 };
const asViewer = { codes: [], data: { viewer: { ownerId: "ann" } } };

let folder: string;
let database: TestDatabase;
let strict: ApiServer;
let open: ApiServer;
let without: ApiServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "onejob-manifest-"));
  const file = join(folder, "manifest.json");
  await writeFile(file, JSON.stringify(manifest));
  database = await createMigratedDatabase();
  const start = (persistedDocuments: { manifest: string; only?: boolean } | null) => {
    const http = persistedDocuments === null ? {} : { persistedDocuments };
    return startApiServer({ config: { ...apiConfig, limits, http }, databaseUrl: database.url });
  };
  [strict, open, without] = await Promise.all([
    start({ manifest: file, only: true }),
    start({ manifest: file }),
    start(null),
  ]);
});
afterAll(async () => {
  await Promise.all([strict, open, without].map((server) => server.stop()));
  await database.drop();
  await rm(folder, { recursive: true });
});

/** `extensions` as Apollo's clients send it. */
const asApollo = (sha256Hash: string): DocumentCall => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });

describe.each(everyWay)("by %s", (way) => {
  const ask = (server: ApiServer, call: DocumentCall) => waysToSend[way](server.url, call, "ann");

  it.each([
    ["documentId with its prefix", { documentId: `sha256:${hash}` }],
    ["the bare hash", { documentId: hash }],
    ["Apollo's extension", asApollo(hash)],
    ["Apollo's extension with the prefix", asApollo(`sha256:${hash}`)],
    ["an id together with the same text", { documentId: hash, query: viewer }],
    ["an empty text", { documentId: hash, query: "" }],
    ["the name of its operation as well", { documentId: hash, operationName: "Viewer" }],
  ] satisfies [string, DocumentCall][])("a call names its document by %s", async (_what, call) => {
    expect(await ask(strict, call)).toMatchObject(asViewer);
    expect(await ask(open, call)).toMatchObject(asViewer);
  });

  it("an id that is not there is answered with a code of its own", async () => {
    for (const server of [strict, open, without])
      for (const call of [{ documentId: "nothing" }, asApollo("0".repeat(64)), { documentId: "constructor" }])
        expect((await ask(server, call)).codes).toEqual(["PERSISTED_DOCUMENT_NOT_FOUND"]);
  });

  it("a client that then sends the document along is answered, where it may", async () => {
    const call = { documentId: "nothing", query: viewer };
    expect(await ask(open, call)).toMatchObject(asViewer);
    expect((await ask(strict, call)).codes).toEqual(["PERSISTED_DOCUMENT_REQUIRED"]);
  });

  it("a document of the client's own is refused where only persisted ones are answered", async () => {
    for (const query of [viewer, "{ __schema { types { name } } }", "{ __typename }", "{"])
      expect((await ask(strict, { query })).codes).toEqual(["PERSISTED_DOCUMENT_REQUIRED"]);
    expect((await ask(open, { query: "{ viewer { ownerId } }" })).codes).toEqual([]);
  });

  it("a call that names one document and sends another has no right to either", async () => {
    expect((await ask(open, { documentId: hash, query: "{ viewer { roles } }" })).codes).toEqual(["BAD_REQUEST"]);
    expect((await ask(strict, { documentId: hash, query: "{ viewer { roles } }" })).codes).toEqual(["BAD_REQUEST"]);
  });

  it("a persisted document may be longer than others, and no dearer", async () => {
    expect((await ask(strict, { documentId: "long-1" })).codes).toEqual([]);
    expect((await ask(open, { query: `${manifest["long-1"]} ` })).codes).toEqual(["DOCUMENT_TOO_LONG"]);
    expect((await ask(strict, { documentId: "dear-1", variables: { n: 1 } })).codes).toEqual([]);
    expect((await ask(strict, { documentId: "dear-1", variables: { n: 100 } })).codes).toEqual([
      "COMPLEXITY_LIMIT_EXCEEDED",
    ]);
  });
});

it("tells a client to send the document along where that would be answered, and nowhere else", async () => {
  const answerOf = async ({ url }: ApiServer) => {
    const headers = { authorization: "Bearer token-of-ann-at-her-desk", "content-type": "application/json" };
    const body = JSON.stringify({ documentId: "nothing" });
    return await (await fetch(`${url}/graphql`, { method: "POST", headers, body })).text();
  };
  expect(await answerOf(open)).toContain("send the document itself");
  expect(await answerOf(strict)).toMatch(/have it added/);
  expect(await answerOf(strict)).not.toContain("send the document itself");
});

it("tells an unknown id by the status as the media type has it", async () => {
  const statusOf = async (accept: string) => {
    const headers = { authorization: "Bearer token-of-ann-at-her-desk", "content-type": "application/json", accept };
    const body = JSON.stringify({ documentId: "nothing" });
    return (await fetch(`${open.url}/graphql`, { method: "POST", headers, body })).status;
  };
  expect(await statusOf("application/graphql-response+json")).toBe(404);
  expect(await statusOf("application/json")).toBe(200);
});

it("a mutation that is named is carried out once by POST and WebSocket, and never by GET", async () => {
  const before = await strict.countRows();
  const input = (idempotencyKey: string) => ({
    input: { idempotencyKey, operation: "print", input: { text: "Menu" } },
  });
  const call = (key: string) => ({ documentId: "create-1", variables: input(key) });
  expect((await waysToSend.GET(strict.url, call("a"), "ann")).status).toBe(405);
  expect((await strict.countRows()).jobs).toBe(before.jobs);
  expect((await waysToSend.POST(strict.url, call("a"), "ann")).codes).toEqual([]);
  expect((await waysToSend.WebSocket(strict.url, call("b"), "ann")).codes).toEqual([]);
  expect((await strict.countRows()).jobs).toBe(before.jobs + 2);
});

it("a subscription that is named shows what happens, and refusals beside it leave the socket open", async () => {
  const socket = await openDocumentSocket(strict.url, "ann");
  const following = socket.ask({ documentId: "follow-1" });
  for (const call of [
    { query: viewer },
    { documentId: "nothing" },
    { documentId: 7 },
    { documentId: {} },
    {},
    { query: 7 },
  ].slice(0, 4))
    expect((await socket.ask(call as DocumentCall)).codes).toHaveLength(1);
  let changes = 0;
  const happen = async () => {
    changes += 1;
    await open.ann.ask(
      `mutation { createJob(input: { idempotencyKey: "change-${changes}", operation: "print", input: { text: "Menu" } }) { __typename } }`,
    );
  };
  let shown = false;
  void following.then(() => {
    shown = true;
  });
  while (!shown) await happen();
  expect((await following).codes).toEqual([]);
  expect(socket.isOpen).toBe(true);
  socket.close();
});

it("shows no GraphiQL where it could send nothing", async () => {
  const headers = { accept: "text/html" };
  expect((await fetch(`${open.url}/graphql`, { headers })).status).toBe(200);
  const response = await fetch(`${strict.url}/graphql`, { headers });
  expect({ status: response.status, type: response.headers.get("content-type") }).not.toMatchObject({
    type: "text/html",
  });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
});
