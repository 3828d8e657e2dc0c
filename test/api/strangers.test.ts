/** Callers whom the server does not know, through the API: they are told so, over HTTP and WebSocket, and learn nothing else. */
import { randomUUID } from "node:crypto";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { documentOf, refusalOf } from "../support/api-client.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";

let server: ApiServer;
let job: { id: string };
beforeAll(async () => {
  server = await startApiServer();
  job = await newJob(server);
});
afterAll(() => server.stop());

const create = () => ({ idempotencyKey: randomUUID(), operation: "print", input: { text: "Menu" } });

describe("a caller without a known token", () => {
  it.each([
    ["no token", null],
    ["a wrong token", { token: "token-of-nobody-at-all" }],
    ["half of a token", { token: "token-of-ann" }],
    ["a token and more", { token: "token-of-ann-at-her-desk-" }],
  ] as const)("with %s is UNAUTHENTICATED, with the status 401, before anything is read", async (_what, caller) => {
    const before = await server.countRows();
    const stranger = server.as(caller);
    for (const document of [
      "{ viewer { ownerId } }",
      "{ operations { name } }",
      "{ nonsense }",
      "{ __schema { types { name } } }",
    ]) {
      expect(await refusalOf(stranger.ask(document)), document).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
    }
    expect(await refusalOf(stranger.create(create()))).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
    expect(await server.countRows()).toEqual(before);
  });

  it("is told with the challenge of RFC 6750 what to send", async () => {
    const response = await fetch(`${server.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"query":"{ viewer { ownerId } }"}',
    });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });

  it("is closed out of the WebSocket with 4403 for a wrong token, and refused each subscription without one", async () => {
    const socketUrl = `${server.url.replace("http", "ws")}/graphql`;
    const closed = new Promise((resolve) => {
      const client = createClient({
        url: socketUrl,
        webSocketImpl: WebSocket,
        connectionParams: { authorization: "Bearer token-of-nobody-at-all" },
        lazy: false,
        retryAttempts: 0,
        onNonLazyError: () => {},
        on: { closed: (event) => resolve((event as { code: number }).code) },
      });
      void client;
    });
    expect(await closed).toBe(4403);

    const tokenless = createClient({ url: socketUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
    const refused = new Promise((resolve) => {
      const variables = { id: job.id };
      tokenless.subscribe(
        { query: documentOf("job-updated"), variables },
        { next: resolve, error: resolve, complete: () => resolve(null) },
      );
    });
    expect(await refused).toMatchObject([{ extensions: { code: "UNAUTHENTICATED" } }]);
    await tokenless.dispose();
  });
});
