/** Texts that mean something to a database, a protocol, a terminal or a log: here they are texts, stored as they came or refused, and run nowhere. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AbusedServer, startAbusedServer } from "../support/abused-server.ts";
import { documentOf, type Fields } from "../support/api-client.ts";
import { newJob } from "../support/api-reach.ts";
import { postBytes, sendBytes } from "../support/rude-client.ts";

let server: AbusedServer;
beforeAll(async () => {
  server = await startAbusedServer();
});
afterEach(() => server.expectUnharmed());
afterAll(() => server.stop());

const hostile = [
  "'; drop table jobs; --",
  "' or '1'='1",
  "$1); delete from attempts; --",
  "\\'; select pg_sleep(10); --",
  "1' union select result from jobs --",
  "%' escape '!",
  "{{constructor.constructor('return process')()}}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text that is meant.
  "${process.env}",
  "%s%n%x",
  "\r\nSet-Cookie: owner=operator",
  '\n{"level":"error","event":"forged"}',
  "\u001b[2J\u001b]0;title\u0007",
  "<script>alert(1)</script>",
  "../../../etc/passwd",
];

async function tables(): Promise<string[]> {
  const rows = await server.sql<{ name: string }[]>`
    select relname || ' ' || relkind::text as name from pg_class where relnamespace = 'public'::regnamespace order by 1`;
  return rows.map(({ name }) => name);
}

describe.each(hostile)("%j", (text) => {
  it("is kept as it is wherever a text of the caller's is kept", async () => {
    const before = await tables();
    const input = { idempotencyKey: text, operation: "any", input: { text }, metadata: { text } };
    const created = await server.ann.create(input);
    const job = created.job;
    if (job === undefined) throw new Error(JSON.stringify(created));
    const held = await server.worker.take(job.id);
    await held.running(text);
    await held.beat({ fraction: 0.5, message: text });
    await held.fail("UNCERTAIN", { code: text, message: text });
    const resolve = { attemptId: held.attempt.id, outcome: "SUCCEEDED", result: { text }, evidence: text };
    expect(await server.operator.send("resolve-attempt", resolve)).toMatchObject({
      __typename: "ResolveAttemptSuccess",
    });
    const { jobByKey } = await server.ann.ask<{ jobByKey: Fields }>(
      "query ($key: String!) { jobByKey(idempotencyKey: $key) { id idempotencyKey input metadata result latestAttempt { providerRequestId } } }",
      { key: text },
    );
    expect(jobByKey).toEqual({
      id: job.id,
      idempotencyKey: text,
      input: { text },
      metadata: { text },
      result: { text },
      latestAttempt: { providerRequestId: text },
    });
    const [told] = await server.sql<{ told: boolean }[]>`
      select exists (select from job_events where detail->>'evidence' = ${text}) as told`;
    expect(told).toEqual({ told: true });
    expect(await tables()).toEqual(before);
  });

  it("finds nothing and changes nothing wherever something is looked for by it", async () => {
    const { jobs, attempts } = await server.countRows();
    const { ann, operator } = server;
    for (const name of ["job", "attempt", "node"]) {
      expect(Object.values(await ann.ask<Fields>(documentOf(name), { id: text }))).toEqual([null]);
    }
    for (const filter of [{ operation: text }, { provider: text }, { ownerId: text }, { idempotencyKey: `${text}x` }]) {
      expect(await operator.ask(documentOf("jobs"), { filter })).toMatchObject({ jobs: { edges: [], totalCount: 0 } });
    }
    expect(await operator.ask(documentOf("audit-log"), { actor: text })).toMatchObject({ auditLog: { edges: [] } });
    const refused = await postBytes(
      server.url,
      JSON.stringify({ query: documentOf("jobs"), variables: { after: text } }),
      "ann",
    );
    expect(refused.text).toContain("BAD_USER_INPUT");
    expect(await server.countRows()).toMatchObject({ jobs, attempts });
  });

  it("reaches no header of an answer", async () => {
    const encoded = encodeURIComponent(text);
    const head = `GET /${encoded}?query=${encoded} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIdempotency-Key: ${encoded}\r\n\r\n`;
    const { status, text: answer } = await sendBytes(server.url, head);
    expect(status).toBe(404);
    expect(answer.split("\r\n\r\n")[0]).not.toMatch(/set-cookie|script|drop table/i);
  });
});

it("an answer's status is that of the call, whatever bytes its headers hold", async () => {
  const line = (name: string, value: string) => [`${name}: ${value}`];
  const body = JSON.stringify({ query: "{ viewer { ownerId } }" });
  for (const more of [
    line("Idempotency-Key", "a\u0000b"),
    line("Traceparent", "x".repeat(4_000)),
    line("X-Y", "a\u0001b"),
  ]) {
    expect([200, 400], more[0]?.slice(0, 40)).toContain((await postBytes(server.url, body, "ann", more)).status);
  }
  expect((await postBytes(server.url, body, "ann", line("X-Long", "x".repeat(100_000)))).status).toBe(431);
});

it("no line of the log is forged: each is one event, and has what was sent inside its quotes", async () => {
  const job = await newJob(server);
  for (const workerId of hostile) await server.worker.claim({ workerId, limit: 1, claimKey: randomUUID() });
  await server.ann.cancelJob(job.id);
  for (const line of server.lines) {
    expect(line.match(/\n/g)).toHaveLength(1);
    expect(JSON.parse(line)).not.toMatchObject({ event: "forged" });
  }
});
