/**
 * Measures what rude clients cost the others: an owner who creates jobs, one after the other, beside nobody and then beside
 * each kind of abuse. It judges nothing: `npm run bench:abuse` prints what it saw, and the ratio to the quiet before.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { startServer } from "../../src/server/compose.ts";
import { apiConfig, tokens } from "../support/api-config.ts";
import { openBenchDatabase, percentile } from "./open-bench-database.ts";
import { startOther } from "./other-server.ts";
import { type Rudeness, rudenesses } from "./rudeness.ts";

const secondsEach = Number(process.argv[2] ?? 4);
const gapMs = 5;

const document = `mutation ($key: String!) { createJob(input: {idempotencyKey: $key, operation: "print", input: {text: "Menu"}}) {
  ... on CreateJobSuccess { created job { id } } } }`;

/** How long each of the owner's calls took, in milliseconds, sorted. */
async function measure(url: string): Promise<number[]> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${tokens.ann}` };
  const took: number[] = [];
  const untilMs = performance.now() + secondsEach * 1_000;
  while (performance.now() < untilMs) {
    await pause(gapMs);
    const body = JSON.stringify({ query: document, variables: { key: randomUUID() } });
    const startedMs = performance.now();
    const answer = await (await fetch(`${url}/graphql`, { method: "POST", headers, body })).text();
    took.push(performance.now() - startedMs);
    if (!answer.includes('"created":true')) throw new Error(answer);
  }
  return took.toSorted((a, b) => a - b);
}

async function beside(url: string, { act, clients }: Rudeness): Promise<{ took: number[]; acts: number }> {
  const stop = new AbortController();
  let acts = 0;
  const rude = Array.from({ length: clients }, async () => {
    for (; !stop.signal.aborted; acts += 1) await act(url, stop.signal);
  });
  await pause(500);
  const took = await measure(url);
  stop.abort();
  await Promise.all(rude);
  return { took, acts };
}

async function main(): Promise<void> {
  const database = await openBenchDatabase();
  const server = await startOther(import.meta.filename, database.url);
  const line = (name: string, took: readonly number[], quiet: readonly number[], acts: number): string => {
    const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)];
    const ratio = (p50 / percentile(quiet, 0.5)).toFixed(1);
    const rate = acts === 0 ? "" : `   ${Math.round(acts / (secondsEach + 0.5))}/s`;
    return `${name.padEnd(44)} p50 ${p50.toFixed(1).padStart(6)} ms  p99 ${p99.toFixed(1).padStart(6)} ms   ${ratio.padStart(5)}${rate}`;
  };
  await measure(server.url);
  console.log(`An owner's createJob beside rude clients, ${secondsEach} s each; the ratio is that of the medians:`);
  for (const rudeness of rudenesses) {
    const quiet = await measure(server.url);
    const { took, acts } = await beside(server.url, rudeness);
    console.log(line(rudeness.name, took, quiet, acts));
  }
  console.log(line("nobody, at the end", await measure(server.url), await measure(server.url), 0));
  server.stop();
  await database.close();
}

if (process.argv[2] === "--serve") {
  const server = await startServer({ config: apiConfig, port: 0, databaseUrl: process.argv[3] ?? "" });
  console.log(server.url);
} else {
  await main();
}
