/** When a server says that it is ready: not while it starts or stops, and not while its database does not answer. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { answerLive, answerReady, type Readiness } from "../../src/server/health.ts";

let server: Server | undefined;
afterEach(() => server?.close());

async function readinessOf(readiness: Readiness) {
  server = createServer((_, response) => void answerReady(response, readiness));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { status: response.status, body: await response.json() };
}

const answers = () => Promise.resolve();
const fails = () => Promise.reject(new Error("connection refused"));
const hangs = () => new Promise<never>(() => {});

it.each([
  ["serving", answers, 200, "ready"],
  ["serving", fails, 503, "unavailable"],
  ["serving", hangs, 503, "unavailable"],
  ["starting", answers, 503, "starting"],
  ["stopping", answers, 503, "stopping"],
] as const)("%s with a database that %O answers %d", async (phase, ping, status, word) => {
  expect(await readinessOf({ phase, ping })).toMatchObject({ status, body: { status: word } });
});

it("lives in any case", async () => {
  server = createServer((_, response) => answerLive(response));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  expect((await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).status).toBe(200);
});
