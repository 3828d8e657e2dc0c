/** Owners, workers and operators by JSON Web Tokens, over HTTP, WebSocket and Server-Sent Events. Which tokens are taken at all is test/server/auth's matter. */
import { randomUUID } from "node:crypto";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { documentOf, refusalOf } from "../support/api-client.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { transports } from "../support/api-streams.ts";
import { contractConfig } from "../support/contract-config.ts";
import { type Claims, jwtSecret, signed } from "../support/jwt-kit.ts";

let server: ApiServer;
beforeAll(async () => {
  const auth = { ...contractConfig.auth, jwt: { secret: jwtSecret } };
  server = await startApiServer({ config: { ...contractConfig, auth } });
});
afterAll(() => server.stop());

const withClaims = async (claims: Claims) => server.as({ token: await signed(claims) });
const claim = (providers: readonly string[]) => ({ workerId: "w", providers, limit: 100 });

describe("over HTTP", () => {
  it("a token is whom its subject and its roles say", async () => {
    const api = await withClaims({ sub: "carla", roles: "OPERATOR OWNER KING" });
    expect(await api.ask("{ viewer { ownerId roles } }")).toEqual({
      viewer: { ownerId: "carla", roles: ["OWNER", "OPERATOR"] },
    });
  });

  it("an owner sees own jobs, an operator all, and who has no role none", async () => {
    const { id } = await newJob(server);
    const of = async (claims: Claims) => (await withClaims(claims)).jobOrNull(id);
    expect(await of({ sub: "ann" })).toMatchObject({ id });
    expect(await of({ sub: "carla" })).toBeNull();
    expect(await of({ sub: "olga", roles: ["OPERATOR"] })).toMatchObject({ id });
    for (const roles of [[], "KING", undefined])
      expect(await refusalOf(of({ sub: "ann", roles }))).toMatchObject({ status: 200, code: "FORBIDDEN" });
  });

  it("a JSON Web Token and a static token of one owner are one owner", async () => {
    const intent = { idempotencyKey: randomUUID(), operation: "print", input: { text: "Menu" } };
    const made = await server.ann.create(intent);
    const again = await (await withClaims({ sub: "ann" })).create(intent);
    expect(again).toMatchObject({ created: false, job: { id: made.job?.id } });
    const other = await (await withClaims({ sub: "carla" })).create(intent);
    expect(other).toMatchObject({ created: true });
  });

  it("an expired token is answered with 401 and what is wrong with it", async () => {
    const authorization = `Bearer ${await signed({ exp: 1 })}`;
    const headers = { "content-type": "application/json", authorization };
    const response = await fetch(`${server.url}/graphql`, {
      method: "POST",
      headers,
      body: '{"query":"{__typename}"}',
    });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe(
      'Bearer error="invalid_token", error_description="Token expired"',
    );
    expect(await response.json()).toEqual({
      errors: [{ message: expect.stringMatching(/^Token expired: /), extensions: { code: "UNAUTHENTICATED" } }],
    });
  });
});

describe("a worker", () => {
  it("claims for the providers that the token names, and for no other", async () => {
    const { id } = await newJob(server);
    const api = await withClaims({ sub: "shop", roles: "WORKER", providers: ["inkjet", "long-gone"] });
    expect(await refusalOf(api.send("claim-attempts", claim(["inkjet", "laser"])))).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining('"laser"'),
    });
    const { claims = [] } = await api.send("claim-attempts", claim(["inkjet"]));
    expect(claims.map(({ attempt }) => attempt.job.id)).toContain(id);
  });

  it("whose token names no providers claims for none", async () => {
    const api = await withClaims({ sub: "shop", roles: "WORKER" });
    expect(await refusalOf(api.send("claim-attempts", claim(["inkjet"])))).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("names no provider"),
    });
  });

  it("reports on no attempt of a provider that the token does not name, not even with its lease token", async () => {
    const job = await newJob(server);
    const held = await server.worker.take(job.id);
    const report = { attemptId: held.attempt.id, leaseToken: held.claim.leaseToken };
    const api = await withClaims({ sub: "shop", roles: "WORKER", providers: ["laser"] });
    expect(await api.send("mark-attempt-running", report)).toMatchObject({ __typename: "NotFound" });
    const inkjet = await withClaims({ sub: "shop", roles: "WORKER", providers: ["inkjet"] });
    expect(await inkjet.send("mark-attempt-running", report)).toMatchObject({
      __typename: "MarkAttemptRunningSuccess",
    });
  });

  it("claims nothing that the server carries out itself, whatever the token names", async () => {
    const refused = { __typename: "InvalidInput", issues: [{ path: "/providers/1" }] };
    const named = await withClaims({ sub: "shop", roles: "WORKER", providers: ["inkjet", "press"] });
    const unnamed = await withClaims({ sub: "shop", roles: "WORKER", providers: ["inkjet"] });
    for (const api of [named, unnamed, server.worker.api])
      expect(await api.send("claim-attempts", claim(["inkjet", "press"]))).toMatchObject(refused);
  });
});

describe("over WebSocket", () => {
  const connect = (connectionParams: Record<string, unknown>) =>
    createClient({
      url: `${server.url.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams,
    });
  const ways: readonly [string, (token: string) => { params: Record<string, unknown>; headers?: object }][] = [
    ["as authorization", (token) => ({ params: { authorization: `Bearer ${token}` } })],
    ["bare, as token", (token) => ({ params: { token } })],
    ["with each operation", (token) => ({ params: {}, headers: { Authorization: `Bearer ${token}` } })],
  ];

  it.each(ways)("a token is taken %s", async (_way, place) => {
    const { params, headers } = place(await signed({ sub: "carla" }));
    const client = connect(params);
    const payload = { query: "{ viewer { ownerId roles } }", extensions: { ...(headers && { headers }) } };
    const { value } = await client.iterate(payload).next();
    expect(value).toEqual({ data: { viewer: { ownerId: "carla", roles: ["OWNER"] } } });
    await client.dispose();
  });

  it.each([
    ["expired", { exp: 1 }, "Token expired"],
    ["made for others", { sub: "onejob" }, "Token has an unusable claim sub"],
  ])("one that is %s closes with 4403 and says so", async (_what, claims, reason) => {
    const client = connect({ token: await signed(claims) });
    await expect(client.iterate({ query: "{ __typename }" }).next()).rejects.toMatchObject({ code: 4403, reason });
    await client.dispose();
  });
});

describe.each(transports)("over %s", (_name, connect) => {
  it("a token follows what its owner may see, and nothing else", async () => {
    const { id } = await newJob(server);
    const own = connect(server.url, { token: await signed({ sub: "ann" }) });
    expect(await own.open("job-updated", { id }).sees(1)).toMatchObject([{ id }]);
    const foreign = connect(server.url, { token: await signed({ sub: "carla" }) });
    const stream = foreign.open(documentOf("job-updated"), { id });
    await stream.ends();
    expect(stream.errors.map(({ code }) => code)).toEqual(["NOT_FOUND"]);
    for (const streams of [own, foreign]) streams.close();
  });
});
