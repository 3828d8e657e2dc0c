/** What ends with a token: the WebSocket that it opened, the one operation that it came with, a stream of Server-Sent Events. */
import { once } from "node:events";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { EventView } from "../support/api-answers.ts";
import { documentOf } from "../support/api-client.ts";
import { apiConfig } from "../support/api-config.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { overSocket, overSse, transports } from "../support/api-streams.ts";
import { jwtSecret, secondsFromNow, signed } from "../support/jwt-kit.ts";
import { waitUntil } from "../support/wait-until.ts";

let server: ApiServer;
let url: string;
beforeAll(async () => {
  const auth = { ...apiConfig.auth, jwt: { secret: jwtSecret, clockToleranceSeconds: 0 } };
  server = await startApiServer({ config: { ...apiConfig, auth } });
  url = `${server.url.replace("http", "ws")}/graphql`;
});
afterAll(() => server.stop());

/** Ends in the third second from now, and with it what it has opened. */
const shortToken = () => signed({ exp: secondsFromNow(3) });
const longToken = () => signed();
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

// Together, since most of the time they wait.
describe.concurrent("a WebSocket whose token came with the connection", () => {
  it("is closed with 4403 when the token ends, also where nothing was asked for", async () => {
    const socket = new WebSocket(url, "graphql-transport-ws");
    await once(socket, "open");
    const messages: string[] = [];
    socket.on("message", (data: Buffer) => messages.push(data.toString()));
    socket.send(JSON.stringify({ type: "connection_init", payload: { token: await shortToken() } }));
    const [code, reason] = (await once(socket, "close")) as [number, Buffer];
    expect({ code, reason: reason.toString(), messages }).toEqual({
      code: 4403,
      reason: "Token expired",
      messages: ['{"type":"connection_ack"}'],
    });
  });

  it("is closed before its streams end, so that clients come back for them", async () => {
    const { id } = await newJob(server);
    const connectionParams = bearer(await shortToken());
    const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
    const stream = client.iterate({ query: documentOf("job-events"), variables: { jobId: id } });
    for (const number of [1, 2]) expect((await stream.next()).value).toMatchObject({ data: { jobEvents: { number } } });
    await expect(stream.next()).rejects.toMatchObject({ code: 4403, reason: "Token expired" });
    await client.dispose();
  });

  it("is opened again by its client with a fresh token, which resumes from the last number: nothing missing, nothing twice", async () => {
    const { id } = await newJob(server);
    const closes: number[] = [];
    const seen: EventView[] = [];
    let asked = 0;
    const client = createClient({
      url,
      webSocketImpl: WebSocket,
      retryWait: async () => {},
      on: { closed: (event) => void closes.push((event as { code: number }).code) },
      async connectionParams() {
        asked += 1;
        if (asked === 1) return bearer(await shortToken());
        // While nobody listens.
        if (asked === 2) await server.ann.cancelJob(id);
        return bearer(await longToken());
      },
    });
    const variables = {
      jobId: id,
      get after() {
        return seen.at(-1)?.number ?? 0;
      },
    };
    const failures: unknown[] = [];
    const sink = {
      next: ({ data }: { data?: { jobEvents: EventView } | null }) => void (data && seen.push(data.jobEvents)),
      error: (error: unknown) => void failures.push(error),
      complete: () => {},
    };
    client.subscribe<{ jobEvents: EventView }>({ query: documentOf("job-events"), variables }, sink);
    await waitUntil("what happened meanwhile has come", () => seen.length >= 4 && asked >= 2);
    expect(seen.map((event) => event.number)).toEqual([1, 2, 3, 4]);
    expect({ closes, failures }).toEqual({ closes: [4403], failures: [] });
    await client.dispose();
  });

  it("stays open for a token that ends after longer than a timer can wait", async () => {
    const { id } = await newJob(server);
    const streams = overSocket(server.url, { token: await signed({ exp: secondsFromNow(30 * 86_400) }) });
    const stream = streams.open<EventView>("job-events", { jobId: id });
    await stream.sees(2);
    await server.ann.cancelJob(id);
    await stream.sees(4);
    expect({ errors: stream.errors, ended: stream.ended }).toEqual({ errors: [], ended: false });
    streams.close();
  });
});

describe.concurrent("a token that came with one operation", () => {
  it("ends that operation with UNAUTHENTICATED, and leaves the socket and the others on it alone", async () => {
    const { id } = await newJob(server);
    const closes: unknown[] = [];
    const client = createClient({
      url,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      on: { closed: (event) => void closes.push(event) },
    });
    const follow = async (token: string) =>
      client.iterate({
        query: documentOf("job-events"),
        variables: { jobId: id },
        extensions: { headers: bearer(token) },
      });
    const lasting = await follow(await longToken());
    await lasting.next();
    const results = [];
    for await (const result of await follow(await shortToken())) results.push(result);
    expect(results.slice(0, -1)).toMatchObject([1, 2].map((number) => ({ data: { jobEvents: { number } } })));
    expect(results.at(-1)).toEqual({
      errors: [{ message: expect.stringMatching(/^Token expired/), extensions: { code: "UNAUTHENTICATED" } }],
    });
    expect((await lasting.next()).value).toMatchObject({ data: { jobEvents: { number: 2 } } });
    await server.ann.cancelJob(id);
    expect((await lasting.next()).value).toMatchObject({ data: { jobEvents: { number: 3 } } });
    expect(closes).toEqual([]);
    await client.dispose();
  });
});

describe.concurrent("a stream of Server-Sent Events", () => {
  it("ends with an event UNAUTHENTICATED when its token does, and is then complete", async () => {
    const { id } = await newJob(server);
    const streams = overSse(server.url, { token: await shortToken() });
    const stream = streams.open<EventView>("job-events", { jobId: id });
    await stream.sees(2);
    await stream.ends();
    expect(stream.errors).toEqual([{ code: "UNAUTHENTICATED", message: expect.stringMatching(/^Token expired/) }]);
    expect(stream.seen.map((event) => event.number)).toEqual([1, 2]);
    streams.close();
  });
});

describe.each(transports)("over %s", (_name, connect) => {
  it("a stream that ends by itself, or that its client leaves, leaves no timer behind", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const token = await signed();
    const { id } = await newJob(server);
    const before = timers();
    const streams = Array.from({ length: 30 }, () => connect(server.url, { token }));
    const opened = streams.map((one) => one.open("job-updated", { id }));
    for (const stream of opened) await stream.sees(1);
    expect(timers()).toBeGreaterThanOrEqual(before + 30);
    for (const one of streams.slice(0, 15)) one.close();
    await server.ann.cancelJob(id);
    for (const stream of opened.slice(15)) await stream.ends();
    for (const one of streams) one.close();
    await waitUntil("the timers are gone", () => timers() < before + 10, 15_000);
  });
});
