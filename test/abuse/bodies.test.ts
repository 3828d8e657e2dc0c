/** Bodies that no honest client sends: each is refused or taken for what it is, and the next caller is served as ever. */
import { createHash, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AbusedServer, startAbusedServer } from "../support/abused-server.ts";
import { apiConfig } from "../support/api-config.ts";
import { createRaw } from "../support/api-raw.ts";
import { headOf, openConnection, postBytes, sendBytes } from "../support/rude-client.ts";

let server: AbusedServer;
/** Takes bodies of 32 MB, so that what is refused is refused for its shape. */
let generous: AbusedServer;
beforeAll(async () => {
  server = await startAbusedServer();
  const limits = { bodyBytes: 32 * 1024 * 1024 };
  generous = await startAbusedServer({ config: { ...apiConfig, limits }, databaseUrl: server.databaseUrl });
});
afterEach(async () => {
  await server.expectUnharmed();
  await generous.expectUnharmed();
});
afterAll(async () => {
  await generous.stop();
  await server.stop();
});

const operation = `mutation ($input: JSON!) { createJob(input: {idempotencyKey: "k", operation: "any", input: $input}) {
  __typename ... on InvalidInput { issues { path message } } } }`;
const bodyWith = (input: string) => `{"query":${JSON.stringify(operation)},"variables":{"input":${input}}}`;
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("JSON", () => {
  it.each([65, 1_000, 100_000])("%i deep is refused as input, by its place", async (depth) => {
    const { answer } = await createRaw(server.url, { key: randomUUID(), input: nested(depth) });
    expect(answer).toMatchObject({ __typename: "InvalidInput", issues: [{ path: expect.stringMatching(/^\/input/) }] });
  });

  it("a million deep does not end the process", async () => {
    const { status } = await postBytes(generous.url, bodyWith(nested(1_000_000)));
    expect([200, 400]).toContain(status);
  });

  it("deep where no value of the caller's belongs is refused", async () => {
    for (const place of ["variables", "extensions", "operationName", "query"]) {
      const { status, text } = await postBytes(
        server.url,
        `{"query":"{ viewer { ownerId } }","${place}":${nested(100_000)}}`,
      );
      expect([200, 400], place).toContain(status);
      expect(text, place).not.toContain("Unexpected error");
    }
  });

  it("with a million keys is refused for its size, before any of them is judged", async () => {
    const keys = Array.from({ length: 1_000_000 }, (_, index) => `"key ${index}":0`).join(",");
    const { status, text } = await postBytes(generous.url, bodyWith(`{${keys}}`));
    expect(status).toBe(200);
    expect(text).toContain("InvalidInput");
    expect(text.length).toBeLessThan(10_000);
  });

  it("with a million operations in one body is refused: there is no batching", async () => {
    const body = `[${Array.from({ length: 200_000 }, () => '{"query":"{ viewer { ownerId } }"}').join(",")}]`;
    const { status, text } = await postBytes(generous.url, body);
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(1_000);
  });

  it("that repeats a name, is cut, empty or no object at all is refused", async () => {
    const bodies = [
      "",
      "{",
      "null",
      "7",
      '"text"',
      "[]",
      "{}",
      '{"query":null}',
      '{"query":7}',
      '{"query":{}}',
      "\u0000",
      "{'query':1}",
    ];
    for (const body of bodies) expect((await postBytes(server.url, body)).status, body).toBe(400);
  });
});

describe("names that objects treat specially", () => {
  it("are kept as they are in an input, and change no other object", async () => {
    const input =
      '{"__proto__":{"isOperator":true},"constructor":{"prototype":{"roles":["OPERATOR"]}},"toString":1,"hasOwnProperty":2}';
    const key = randomUUID();
    const { answer } = await createRaw(server.url, { key, input });
    expect(answer).toMatchObject({ created: true });
    const [row] = await server.sql<{ kept: boolean }[]>`
      select input = ${input}::text::jsonb as kept from jobs where idempotency_key = ${key}`;
    expect(row).toEqual({ kept: true });
    expect(({} as Record<string, unknown>)["isOperator"]).toBeUndefined();
    expect(Object.getPrototypeOf({})).not.toHaveProperty("roles");
  });

  it("are no way to a role, as variables, extensions or names of operations", async () => {
    const hostile = '{"__proto__":{"viewer":{"roles":["OPERATOR"]}},"constructor":{"name":"x"}}';
    for (const place of ["variables", "extensions"]) {
      const { text } = await postBytes(server.url, `{"query":"{ viewer { roles } }","${place}":${hostile}}`);
      expect(text, place).toContain('{"data":{"viewer":{"roles":["OWNER"]}}}');
    }
    for (const name of ["__proto__", "constructor", "toString"]) {
      const { text } = await postBytes(
        server.url,
        `{"query":"query A { viewer { roles } }","operationName":"${name}"}`,
      );
      expect(text, name).toContain("OPERATION_RESOLUTION_FAILURE");
    }
  });

  it("name no operation, provider or page", async () => {
    for (const name of ["__proto__", "constructor", "hasOwnProperty"]) {
      const { answer } = await createRaw(server.url, { key: randomUUID(), input: "1", more: `operation: "${name}"` });
      expect(answer, name).toMatchObject({ __typename: "InvalidInput", issues: [{ path: "/operation" }] });
    }
  });
});

describe("bytes", () => {
  it("that are no UTF-8 are refused, or stored as the text that they were read as, and never break the answer", async () => {
    const [before, after] = bodyWith('{"text":"#"}').split("#") as [string, string];
    for (const bytes of [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]]) {
      const { status, text } = await postBytes(
        server.url,
        Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]),
      );
      expect([200, 400], String(bytes)).toContain(status);
      expect(text, String(bytes)).not.toContain("Unexpected error");
    }
  });

  it("more than the limit are refused without being read to the end", async () => {
    const endless = Buffer.alloc(64 * 1024, " ");
    const socket = await openConnection(server.url);
    const answered = new Promise<string>((resolve) =>
      socket.once("data", (chunk: Buffer) => resolve(chunk.toString())),
    );
    socket.write(headOf(1_000_000_000));
    for (let sent = 0; sent < 100 && socket.writable; sent += 1) socket.write(endless);
    expect(await answered).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it("compressed to almost nothing are not inflated", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "));
    const { status } = await postBytes(server.url, bomb, "bob", ["Content-Encoding: gzip"]);
    expect([400, 413, 415]).toContain(status);
  });

  it("that smuggle a second request get no second answer", async () => {
    const hidden = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";
    const both = headOf(null, "bob", ["Content-Length: 4", "Transfer-Encoding: chunked", "Connection: close"]);
    const { status, text } = await sendBytes(server.url, both, `0\r\n\r\n${hidden}`);
    expect(status).toBe(400);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it("of a body that never ends, or never comes, hold nobody up", async () => {
    const slow = await Promise.all(Array.from({ length: 200 }, () => openConnection(server.url)));
    for (const socket of slow) socket.write(`${headOf(1_000)}{"query":`);
    await expect(server.expectUnharmed()).resolves.toBeUndefined();
    for (const socket of slow) socket.destroy();
  });
});

it("tokens that differ in their last byte, are long, or hold control characters are UNAUTHENTICATED", async () => {
  const digest = createHash("sha256").update("token-of-ann-at-her-desk").digest("hex");
  for (const token of [digest, "x".repeat(8_000), "a\tb", "null", "undefined", "{}"]) {
    const { status, text } = await postBytes(server.url, '{"query":"{ viewer { ownerId } }"}', null, [
      `Authorization: Bearer ${token}`,
    ]);
    expect([401, 431], token.slice(0, 40)).toContain(status);
    expect(text).not.toContain("ann");
  }
});
