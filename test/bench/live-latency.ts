/**
 * Measures the time from commit to a subscribed client on an idle machine: with the client on the server that committed,
 * and on another server of the same database. It judges nothing: `npm run bench:latency` prints what it saw.
 */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "graphql-ws";
import { defineConfig, defineOperation, externalProvider } from "onejob";
import WebSocket from "ws";
import { z } from "zod";
import { startServer } from "../../src/server/compose.ts";
import { encodeId } from "../../src/store/ids.ts";
import { openBenchDatabase, percentile } from "./open-bench-database.ts";
import { startOther } from "./other-server.ts";

const rounds = Number(process.argv[2] ?? 300);
const warmUpRounds = 50;
const gapMs = 10;

const operation = defineOperation({
  name: "print",
  effectClass: "PURE",
  input: z.json(),
  output: z.json(),
  providers: ["inkjet"],
});
const config = defineConfig({
  operations: [operation],
  providers: [externalProvider({ name: "inkjet", revision: "1" })],
});

async function main(): Promise<void> {
  const database = await openBenchDatabase();
  const server = await startServer({ config, port: 0, databaseUrl: database.url });
  const other = await startOther(import.meta.filename, database.url);
  const document = await readFile(new URL("../../schema/operations/job-events.graphql", import.meta.url), "utf8");
  let committedMs = 0;
  server.store.onHint(() => {
    committedMs = performance.now();
  });
  const report = async (url: string): Promise<number[]> => {
    const client = createClient({ url: `${url.replace("http", "ws")}/graphql`, webSocketImpl: WebSocket });
    const answer = await fetch(`${server.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        query: `mutation { createJob(input: { operation: "print", idempotencyKey: "${randomUUID()}", input: 1 }) { ... on CreateJobSuccess { job { id } } } }`,
      }),
    });
    const { data } = (await answer.json()) as { data: { createJob: { job: { id: string } } } };
    const jobId = data.createJob.job.id;
    const [claim] = await server.store.claimAttempts({
      workerId: "w",
      claimedBy: "w",
      providers: ["inkjet"],
      operations: null,
      limit: 1,
      claimKey: null,
    });
    if (claim === undefined || encodeId("job", claim.attempt.jobId) !== jobId)
      throw new Error("Another job was there.");
    const seen: number[] = [];
    let arrived = (): void => {};
    const stop = client.subscribe(
      { query: document, variables: { jobId, after: 3 } },
      {
        next: () => arrived(),
        error: (error) => {
          throw error;
        },
        complete: () => {},
      },
    );
    const actor = { cause: "WORKER", name: "w" } as const;
    await pause(300);
    // Each distinct late result of a lost race is one event, so a fenced attempt can make as many as are wanted.
    await server.store.cancelAttempt({
      attemptId: claim.attempt.id,
      scope: null,
      isOperator: true,
      ownerMayCancel: () => true,
      reason: null,
      actor,
    });
    await pause(300);
    for (let round = 0; round < warmUpRounds + rounds; round += 1) {
      await pause(gapMs);
      const arrival = new Promise<number>((resolve) => {
        arrived = () => resolve(performance.now());
      });
      await server.store.completeAttempt({
        attemptId: claim.attempt.id,
        leaseToken: claim.leaseToken,
        providers: null,
        actor,
        result: round,
      });
      const atMs = await arrival;
      if (round >= warmUpRounds) seen.push(atMs - committedMs);
    }
    stop();
    await client.dispose();
    return seen.toSorted((a, b) => a - b);
  };
  const here = await report(server.url);
  const there = await report(other.url);
  const line = (name: string, seen: readonly number[]): string =>
    `${name.padEnd(34)} p50 ${percentile(seen, 0.5).toFixed(2)} ms   p99 ${percentile(seen, 0.99).toFixed(2)} ms`;
  console.log(`From commit to a subscribed client, ${rounds} events on an idle server:`);
  console.log(line("on the server that committed", here));
  console.log(line("on another server (through NOTIFY)", there));
  console.log(`another server / same server, p50: ${(percentile(there, 0.5) / percentile(here, 0.5)).toFixed(1)}`);
  other.stop();
  await server.stop();
  await database.close();
}

if (process.argv[2] === "--serve") {
  const server = await startServer({ config, port: 0, databaseUrl: process.argv[3] ?? "" });
  console.log(server.url);
} else {
  await main();
}
