/** Which pages of other origins may call, over HTTP and over WebSocket, and that no form of any of them may. Who calls is another question. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, startServer } from "../../src/server/compose.ts";
import type { HttpDefinition } from "../../src/server/config/access-definitions.ts";
import { openRawSocket } from "../support/raw-socket.ts";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { guardedConfig, printConfig, tokens } from "./fixtures/print-config.ts";

const app = "https://app.example.com";
const shop = "https://shop.example.com:8443";
const stranger = "https://elsewhere.example";
const query = "{ viewer { ownerId } }";
const json = { "content-type": "application/json", authorization: `Bearer ${tokens.ann}` };

let database: TestDatabase;
const servers = {} as Record<"listing" | "closed" | "public" | "local", RunningServer>;
beforeAll(async () => {
  database = await createMigratedDatabase();
  const start = (config: typeof printConfig, cors?: HttpDefinition["cors"]) =>
    startServer({ config: { ...config, http: cors ? { cors } : {} }, port: 0, databaseUrl: database.url });
  servers.listing = await start(guardedConfig, { origins: [app, shop], credentials: true });
  servers.closed = await start(guardedConfig);
  servers.public = await start(guardedConfig, { origins: "*" });
  servers.local = await start(printConfig, { origins: [app] });
});
afterAll(async () => {
  await Promise.all(Object.values(servers).map((server) => server.stop()));
  await database.drop();
});

function corsOf(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].filter(([name]) => name.startsWith("access-control-")));
}

/** As a browser asks before a call: without the token. */
function preflight(server: RunningServer, origin: string): Promise<Response> {
  const headers = {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization",
  };
  return fetch(`${server.url}/graphql`, { method: "OPTIONS", headers });
}

function call(
  server: RunningServer,
  headers: Record<string, string>,
  body = JSON.stringify({ query }),
): Promise<Response> {
  return fetch(`${server.url}/graphql`, { method: "POST", headers, body });
}

describe("over HTTP", () => {
  it.each([app, shop])("a listed page may ask, and is told what it may send: %s", async (origin) => {
    const answer = await preflight(servers.listing, origin);
    expect({ status: answer.status, vary: answer.headers.get("vary"), ...corsOf(answer) }).toEqual({
      status: 204,
      vary: "origin",
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "GET, POST, OPTIONS",
      "access-control-allow-headers": expect.stringMatching(
        /^authorization, content-type, idempotency-key, traceparent, /,
      ),
      "access-control-expose-headers": "retry-after",
      "access-control-max-age": "7200",
    });
    const answered = await call(servers.listing, { ...json, origin });
    expect(corsOf(answered)).toMatchObject({ "access-control-allow-origin": origin });
    expect(await answered.json()).toEqual({ data: { viewer: { ownerId: "ann" } } });
  });

  it("a listed page may read why it was refused", async () => {
    const refused = await call(servers.listing, { "content-type": "application/json", origin: app });
    expect(refused.status).toBe(401);
    expect(corsOf(refused)).toMatchObject({ "access-control-allow-origin": app });
  });

  it.each([stranger, "null", `${app}.elsewhere.example`, "http://app.example.com", "https://shop.example.com"])(
    "a page that is not listed learns nothing: %s",
    async (origin) => {
      for (const answer of [
        await preflight(servers.listing, origin),
        await call(servers.listing, { ...json, origin }),
      ]) {
        expect(corsOf(answer)).toEqual({});
        // Or a cache between would hand it what was meant for another.
        expect(answer.headers.get("vary")).toBe("origin");
      }
    },
  );

  it("without http.cors no page of another origin may ask", async () => {
    expect(corsOf(await preflight(servers.closed, app))).toEqual({});
    expect(corsOf(await call(servers.closed, { ...json, origin: app }))).toEqual({});
  });

  it('with "*" every page may, and none with credentials', async () => {
    const cors = corsOf(await preflight(servers.public, stranger));
    expect(cors).toMatchObject({ "access-control-allow-origin": stranger });
    expect(cors).not.toHaveProperty("access-control-allow-credentials");
  });

  it.each([
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, `query=${encodeURIComponent(query)}`],
    ["a form with files", { "content-type": "multipart/form-data; boundary=x" }, "--x--"],
    ["a text", { "content-type": "text/plain" }, JSON.stringify({ query })],
    ["a text that calls itself JSON", { "content-type": "text/plain; application/json" }, JSON.stringify({ query })],
  ])(
    "%s is refused, of a listed page as of every other: browsers ask nobody before they send it",
    async (_what, type, body) => {
      for (const server of [servers.listing, servers.public, servers.closed]) {
        const answer = await call(server, { authorization: json.authorization, origin: app, ...type }, body);
        expect({ status: answer.status, answer: await answer.json() }).toMatchObject({
          status: 403,
          answer: { errors: [{ extensions: { code: "FORBIDDEN" } }] },
        });
      }
    },
  );

  it("a GET without a header of one's own is refused, and answered with it", async () => {
    const get = (headers: Record<string, string>) =>
      fetch(`${servers.listing.url}/graphql?${new URLSearchParams({ query })}`, {
        headers: { authorization: json.authorization, origin: app, ...headers },
      });
    expect((await get({})).status).toBe(403);
    expect((await get({ "x-onejob-csrf": "1" })).status).toBe(200);
  });
});

describe("over WebSocket", () => {
  const open = async (server: RunningServer, headers: Record<string, string>): Promise<string> => {
    try {
      const { socket } = await openRawSocket(server.url, { headers, params: { token: tokens.ann } });
      socket.terminate();
      return "open";
    } catch (error) {
      return String(error);
    }
  };

  it("what is no browser names no origin, and may", async () => {
    for (const server of Object.values(servers)) expect(await open(server, {})).toBe("open");
  });

  it("a page of the server's own origin may, by whatever name it is reached", async () => {
    const { host } = new URL(servers.closed.url);
    expect(await open(servers.closed, { origin: `http://${host}` })).toBe("open");
    expect(await open(servers.closed, { origin: "https://jobs.example.com", host: "jobs.example.com" })).toBe("open");
    expect(await open(servers.closed, { origin: "https://jobs.example.com", host: "jobs.example.com:443" })).toBe(
      "open",
    );
  });

  it("a listed page may, and with a star every page", async () => {
    expect(await open(servers.listing, { origin: app })).toBe("open");
    expect(await open(servers.public, { origin: stranger })).toBe("open");
  });

  it.each([stranger, "null", "http://127.0.0.1:1", "nonsense"])(
    "another page is refused with 403: %s",
    async (origin) => {
      for (const server of [servers.listing, servers.closed]) expect(await open(server, { origin })).toContain("403");
    },
  );

  it("without authentication the server stays with its own machine, whatever is listed", async () => {
    expect(await open(servers.local, { origin: app })).toContain("403");
    expect(await open(servers.local, { origin: "http://localhost:5173" })).toBe("open");
    expect((await call(servers.local, { "content-type": "application/json", origin: app })).status).toBe(403);
  });
});
