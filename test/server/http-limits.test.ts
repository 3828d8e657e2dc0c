/** What slow, silent, oversized and too many clients of HTTP may do: they are cut or told, and all others are answered meanwhile. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, startServer } from "../../src/server/compose.ts";
import { captureLog } from "../support/capture-log.ts";
import { headOf, openRawRequest, type RawRequest } from "../support/raw-http.ts";
import { openRawSocket } from "../support/raw-socket.ts";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { waitUntil } from "../support/wait-until.ts";
import { guardedConfig, tokens } from "./fixtures/print-config.ts";

const bodyBytes = 65_536;
const { log, expectSilence } = captureLog();
const bearer = `Bearer ${tokens.ann}`;
const body = JSON.stringify({ query: "{ viewer { ownerId } }" });

let database: TestDatabase;
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterAll(() => database.drop());

function start(limits: NonNullable<typeof guardedConfig.limits>): Promise<RunningServer> {
  return startServer({ config: { ...guardedConfig, limits }, port: 0, databaseUrl: database.url, log });
}

async function ask(
  server: RunningServer,
  path = "/graphql",
): Promise<{ status: number; retryAfter: string | null; text: string }> {
  const headers = { "content-type": "application/json", authorization: bearer, connection: "close" };
  const response = await fetch(
    `${server.url}${path}`,
    path === "/graphql" ? { method: "POST", headers, body } : { headers },
  );
  return { status: response.status, retryAfter: response.headers.get("retry-after"), text: await response.text() };
}

describe("time", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await start({ requestTimeoutMs: 1_000 });
  });
  afterAll(async () => {
    await server.stop();
    expectSilence();
  });

  async function drip(head: string, tail: string): Promise<string> {
    const request = await openRawRequest(server.port);
    request.write(head);
    for (let sent = 0; !request.isClosed; sent += 1) {
      request.write(tail.charAt(sent % tail.length));
      expect((await ask(server)).status).toBe(200);
    }
    return await request.closed();
  }

  it.each([
    ["a body", headOf([`Authorization: ${bearer}`, "Content-Length: 100000"]), " "],
    ["a chunked body", headOf([`Authorization: ${bearer}`, "Transfer-Encoding: chunked"]), "1\r\n \r\n"],
    ["a body of nobody's", headOf(["Content-Length: 100000"]), " "],
    ["a header", "POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", "x"],
  ])("cuts %s that comes byte by byte, and answers others meanwhile", async (_what, head, tail) => {
    const answer = await drip(head, tail);
    // Who is not known is refused before the body has come, and cut all the same.
    expect(answer).toMatch(/^HTTP\/1\.1 (408 Request Timeout|401 Unauthorized)\r\n/);
  });

  it("cuts a connection that never says a word", async () => {
    const silent = await openRawRequest(server.port);
    expect(await silent.closed()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("lets answers take their time: a claim that waits and a stream go on while a slow request is cut", async () => {
    const client = (token: string, query: string, accept: string) =>
      fetch(`${server.url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", accept, authorization: `Bearer ${token}` },
        body: JSON.stringify({ query }),
      });
    const claim = client(
      tokens.worker,
      'mutation { claimAttempts(input: { workerId: "w", providers: ["outside"], claimKey: "c", waitMs: 20000 }) { ... on ClaimAttemptsSuccess { claims { attempt { number } } } } }',
      "application/json",
    );
    const stream = await client(tokens.ann, "subscription { jobsUpdated { id } }", "text/event-stream");
    const slow = await openRawRequest(server.port);
    slow.write(headOf([`Authorization: ${bearer}`, "Content-Length: 100"]));
    await slow.closed();
    const another = await openRawRequest(server.port);
    await another.closed();

    const create = `mutation { createJob(input: { idempotencyKey: "k", operation: "print", provider: "outside", input: { text: "t" } }) { __typename } }`;
    expect((await client(tokens.ann, create, "application/json")).status).toBe(200);
    const taken = { data: { claimAttempts: { claims: [{ attempt: { number: 1 } }] } } };
    expect(await (await claim).json()).toEqual(taken);
    const reader = stream.body?.getReader();
    let seen = "";
    while (!seen.includes("job_")) seen += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
  });
});

describe("size", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await start({ bodyBytes });
  });
  afterAll(async () => {
    await server.stop();
    expectSilence();
  });

  const padded = (bytes: number) => `${body}${" ".repeat(bytes - body.length)}`;
  const post = (text: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: bearer, ...headers },
      body: text,
      ...(text instanceof ReadableStream && { duplex: "half" }),
    });
  const inChunks = (text: string) => new Blob([text]).stream();

  it.each([
    ["with its length", padded],
    ["in chunks", (bytes: number) => inChunks(padded(bytes))],
  ])("takes a body of as many bytes as it may have, and answers 413 at one more, %s", async (_how, bodyOf) => {
    expect((await post(bodyOf(bodyBytes))).status).toBe(200);
    const refused = await post(bodyOf(bodyBytes + 1));
    expect({ status: refused.status, answer: await refused.json() }).toMatchObject({
      status: 413,
      answer: { errors: [{ extensions: { code: "REQUEST_ENTITY_TOO_LARGE" } }] },
    });
  });

  it("refuses a body without end as soon as it is over the limit", async () => {
    const request = await openRawRequest(server.port);
    request.write(headOf([`Authorization: ${bearer}`, "Transfer-Encoding: chunked"]));
    const chunk = `1000\r\n${" ".repeat(4_096)}\r\n`;
    for (let sent = 0; sent <= bodyBytes; sent += 4_096) request.write(chunk);
    await waitUntil("it is refused though the body goes on", () => request.answer.includes('"errors"'));
    expect(request.answer).toContain("REQUEST_ENTITY_TOO_LARGE");
    request.cut();
  });

  it("inflates nothing: a compressed body is no JSON", async () => {
    const bomb = gzipSync(" ".repeat(50 * bodyBytes));
    const refused = await post(bomb, { "content-encoding": "gzip" });
    expect({ status: refused.status, answer: await refused.json() }).toMatchObject({
      status: 400,
      answer: { errors: [{ extensions: { code: "BAD_REQUEST" } }] },
    });
  });

  it("answers 431 to a header section that is too large", async () => {
    const request = await openRawRequest(server.port);
    request.write(headOf([`X-Large: ${"x".repeat(20_000)}`]));
    expect(await request.closed()).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe("number", () => {
  it("answers on as many connections as it takes, 503 on one more, and again once another has gone", async () => {
    const server = await start({ connections: 3 });
    const idle: RawRequest[] = [];
    for (let open = 0; open < 3; open += 1) idle.push(await openRawRequest(server.port));
    await waitUntil("they are counted", () => server.counts.connections.open === 3);

    expect(await ask(server)).toMatchObject({
      status: 503,
      retryAfter: "5",
      text: expect.stringContaining("CONNECTION_LIMIT_EXCEEDED"),
    });
    await expect(openRawSocket(server.url, { params: null })).rejects.toThrow("503");
    // A server with no room left is neither dead nor broken.
    expect((await ask(server, "/health/live")).status).toBe(200);
    expect((await ask(server, "/health/ready")).status).toBe(200);

    idle[0]?.cut();
    await waitUntil("one has gone", () => server.counts.connections.open === 2);
    expect((await ask(server)).status).toBe(200);
    for (const connection of idle) connection.cut();
    await server.stop();
    expectSilence();
  });

  it("closes what comes beyond the room for those that are told", async () => {
    const server = await start({ connections: 1 });
    const idle = await Promise.all(Array.from({ length: 65 }, () => openRawRequest(server.port)));
    await waitUntil("they are counted", () => server.counts.connections.open === 65);
    const beyond = await openRawRequest(server.port);
    expect(await beyond.closed()).toBe("");
    for (const connection of idle) connection.cut();
    await waitUntil("all have gone", () => server.counts.connections.open === 0);
    await server.stop();
  });
});
