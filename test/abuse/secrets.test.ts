/** What a server must not log: what jobs are about, what comes of them, and what proves who is who. */
import { randomUUID } from "node:crypto";
import { defineConfig, defineOperation, defineProvider } from "onejob";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { createLog } from "../../src/server/log.ts";
import { apiConfig, tokens } from "../support/api-config.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { overSocket } from "../support/api-streams.ts";
import { postBytes } from "../support/rude-client.ts";
import { waitUntil } from "../support/wait-until.ts";

const mark = "secret-7f3a9c";

/** Does with each input what its text says, and quotes the input in whatever it throws, as careless code does. */
const press = defineProvider({
  name: "press",
  revision: "1",
  async run({ input }) {
    const { text } = input as { text: string };
    if (text.startsWith("throw")) throw new Error(`Cannot print ${text}`);
    if (text.startsWith("fail"))
      return { kind: "failed", failure: { code: "REFUSED", message: `Not ${text}`, remedy: "NONE" } };
    if (text.startsWith("odd")) return { kind: "succeeded", result: { wrong: text } };
    if (text.startsWith("huge")) return { kind: "succeeded", result: { text: text.repeat(200_000) } };
    return { kind: "unknown", failure: { code: "SILENT", message: `No word of ${text}`, remedy: "NONE" } };
  },
  lookup: async ({ attemptId }) => {
    throw new Error(`${mark} ${attemptId}`);
  },
  cancel: async () => {
    throw new Error(`${mark} in cancel`);
  },
});
const poster = defineOperation({
  name: "poster",
  effectClass: "PURE",
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  providers: ["press"],
});

const lines: string[] = [];
let server: ApiServer;
beforeAll(async () => {
  const config = defineConfig({
    ...apiConfig,
    operations: [...apiConfig.operations, poster],
    providers: [...apiConfig.providers, press],
  });
  const log = createLog({ level: "info", format: "json", write: (line) => void lines.push(line) });
  server = await startApiServer({ config, log });
});
afterAll(() => server.stop());

const secrets = [mark, ...Object.values(tokens)];
const leaked = () => lines.filter((line) => secrets.some((secret) => line.includes(secret)));

it("says nothing of inputs, results, keys, failures and leases, whatever becomes of the jobs", async () => {
  const text = (kind: string) => ({ text: `${kind} ${mark}` });
  const make = async (operation: string, input: unknown) =>
    (await server.ann.create({ idempotencyKey: `${mark} ${randomUUID()}`, operation, input, metadata: { mark } })).job;
  for (const kind of ["throw", "fail", "odd", "huge", "silent"]) {
    const job = await make("poster", text(kind));
    await waitUntil(`the press is done with ${kind}`, async () => {
      const { state } = await server.ann.job(job?.id ?? "");
      return state !== "QUEUED" && state !== "RUNNING";
    });
    const { latestAttempt } = await server.ann.job(job?.id ?? "");
    await server.operator.send("look-up-attempt", { attemptId: latestAttempt.id });
    await server.ann.cancelJob(job?.id ?? "");
  }
  const job = await make("any", text("by hand"));
  const held = await server.worker.take(job?.id ?? "");
  await held.running(mark);
  await held.beat({ fraction: 0.5, message: mark });
  await held.complete({ mark });
  await held.complete({ mark: `${mark} again` });
  const leaseTokens = [held.claim.leaseToken];
  expect(lines.length).toBeGreaterThan(0);
  expect(leaked()).toEqual([]);
  expect(lines.filter((line) => leaseTokens.some((token) => line.includes(token)))).toEqual([]);
});

it("says nothing of tokens and documents, however wrong the call", async () => {
  const wrong = `${mark}-token`;
  await server
    .as({ token: wrong })
    .ask("{ viewer { ownerId } }")
    .catch(() => {});
  for (const body of [
    `{"query":"{ ${mark} }"}`,
    `{"query":"{ ${mark}`,
    mark,
    `{"query":"{ viewer { ownerId } }","variables":"${mark}"}`,
  ]) {
    await postBytes(server.url, body, "ann");
  }
  const streams = overSocket(server.url, "ann");
  const stream = streams.open(`subscription { jobUpdated(id: "${mark}") { id } }`, { mark });
  await stream.ends();
  streams.close();
  expect(leaked()).toEqual([]);
});
