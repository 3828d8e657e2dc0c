/** An issuer's keys as callers meet them: a key that follows another while the server runs, and an issuer that is away, over every transport. */
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { refusalOf } from "../support/api-client.ts";
import { apiConfig } from "../support/api-config.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { captureLog } from "../support/capture-log.ts";
import { type Issuer, type IssuerKey, issuerKey, startIssuer } from "../support/jwt-kit.ts";

const viewer = "{ viewer { ownerId } }";
let issuer: Issuer;
let key: IssuerKey;
let server: ApiServer;
const { log } = captureLog();
beforeAll(async () => {
  key = await issuerKey("key-1");
  issuer = await startIssuer(key);
  const jwt = { jwksUrl: issuer.url, issuer: "https://issuer.example", audience: "onejob" };
  server = await startApiServer({ config: { ...apiConfig, auth: { ...apiConfig.auth, jwt } }, log });
});
afterAll(async () => {
  await server.stop();
  await issuer.close();
});

const unavailable = "AUTHENTICATION_UNAVAILABLE";
const overSocket = (more: object) =>
  createClient({
    url: `${server.url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    ...more,
  });

it("while the issuer is away, JSON Web Tokens are neither good nor bad, and static tokens as good as ever", async () => {
  issuer.answer = "error";
  const token = await key.sign();
  const authorization = `Bearer ${token}`;
  expect(await refusalOf(server.as({ token }).ask(viewer))).toMatchObject({ status: 503, code: unavailable });
  const headers = { "content-type": "application/json", accept: "text/event-stream", authorization };
  const body = JSON.stringify({ query: 'subscription { jobUpdated(id: "job_1") { id } }' });
  const stream = await fetch(`${server.url}/graphql`, { method: "POST", headers, body });
  expect({ status: stream.status, text: await stream.text() }).toEqual({
    status: 503,
    text: expect.stringContaining(unavailable),
  });
  const connected = overSocket({ connectionParams: { authorization } });
  await expect(connected.iterate({ query: viewer }).next()).rejects.toMatchObject({ code: 1013 });
  const open = overSocket({});
  const asked = open.iterate({ query: viewer, extensions: { headers: { authorization } } });
  await expect(asked.next()).rejects.toMatchObject([{ extensions: { code: unavailable } }]);
  expect(await server.ann.ask(viewer)).toEqual({ viewer: { ownerId: "ann" } });
  await Promise.all([connected.dispose(), open.dispose()]);
});

it("once it answers, its keys are taken without a restart", async () => {
  issuer.answer = "keys";
  const api = server.as({ token: await key.sign({ sub: "carla" }) });
  await expect
    .poll(() => api.ask(viewer).catch(() => null), { timeout: 10_000 })
    .toEqual({ viewer: { ownerId: "carla" } });
});
