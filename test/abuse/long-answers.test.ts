/** Answers that repeat what is stored until no text would hold them: refused before they are made, and nobody else is harmed. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type AbusedServer, startAbusedServer } from "../support/abused-server.ts";
import { apiConfig, tokens } from "../support/api-config.ts";
import { everyWay, openDocumentSocket, waysToSend } from "../support/document-calls.ts";
import { openRawSocket } from "../support/raw-socket.ts";
import { waitUntil } from "../support/wait-until.ts";

const input = "x".repeat(200_000);
const mebibyte = 1_048_576;

let server: AbusedServer;
let jobId: string;
beforeAll(async () => {
  server = await startAbusedServer({ config: { ...apiConfig, limits: { answerBytes: mebibyte } } });
  const answer = await server.ann.create({
    idempotencyKey: randomUUID(),
    operation: "any",
    provider: "plotter",
    input,
  });
  jobId = answer.job?.id ?? "";
});
afterEach(() => server.expectUnharmed());
afterAll(() => server.stop());

const inputs = (count: number) => Array.from({ length: count }, (_, index) => `i${index}: input`).join(" ");

it.each(everyWay)("an answer by %s is given within the limit, and beyond it refused with a code", async (way) => {
  const ask = (count: number) =>
    waysToSend[way](server.url, { query: `{ job(id: "${jobId}") { ${inputs(count)} } }` }, "ann");
  expect(await ask(5)).toMatchObject({ codes: [], data: { job: { i4: input } } });
  const { codes, data, messages } = await ask(6);
  expect({ codes, data: data ?? null }).toEqual({ codes: ["ANSWER_TOO_LARGE"], data: null });
  expect(messages[0]).toContain("more than 1048576 bytes");
});

it("an answer to a mutation says that it was carried out, which it was", async () => {
  const idempotencyKey = randomUUID();
  const query = `mutation ($input: CreateJobInput!) { createJob(input: $input) { ... on CreateJobSuccess { job { ${inputs(6)} } } } }`;
  const variables = { input: { idempotencyKey, operation: "any", provider: "plotter", input } };
  const { codes, messages } = await waysToSend.POST(server.url, { query, variables }, "ann");
  expect(codes).toEqual(["ANSWER_TOO_LARGE"]);
  expect(messages[0]).toContain("has been carried out");
  const asked = { query: `{ jobByKey(idempotencyKey: "${idempotencyKey}") { state } }` };
  expect((await waysToSend.POST(server.url, asked, "ann")).data).toEqual({ jobByKey: { state: "QUEUED" } });
});

it("an event of a subscription is refused, and leaves the socket to others", async () => {
  const socket = await openDocumentSocket(server.url, "ann");
  const query = `subscription { jobUpdated(id: "${jobId}") { ${inputs(6)} } }`;
  expect((await socket.ask({ query })).codes).toEqual(["ANSWER_TOO_LARGE"]);
  expect(await socket.ask({ query: "{ viewer { ownerId } }" })).toMatchObject({ data: { viewer: { ownerId: "ann" } } });
  socket.close();
});

it("a socket that leaves long answers unread is cut, before they fill the memory", async () => {
  const rude = await openRawSocket(server.url, { params: { token: tokens.ann } });
  rude.socket.pause();
  // Some 50 MB, far more than the network keeps on its way.
  for (let id = 0; id < 50; id += 1) rude.subscribe(String(id), `{ job(id: "${jobId}") { ${inputs(5)} } }`);
  await waitUntil("the server has cut the socket", () => server.running.counts.sockets.total === 0);
  rude.socket.resume();
  expect((await rude.closed).code).toBe(1006);
});

it("a socket that reads gets as many long answers as it asks for", async () => {
  const polite = await openRawSocket(server.url, { params: { token: tokens.ann } });
  for (let id = 0; id < 50; id += 1) {
    polite.subscribe(String(id), `{ job(id: "${jobId}") { ${inputs(5)} } }`);
    expect(await polite.answer(String(id))).toMatchObject({ type: "next", payload: { data: {} } });
  }
  polite.socket.terminate();
});
