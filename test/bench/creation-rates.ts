/**
 * Measures what a limit on owners' creations costs: creates per second over HTTP on two servers of one database, one with the
 * limit and one without, in turns. It judges nothing: `npm run bench:rates` prints what it saw.
 */
import { randomUUID } from "node:crypto";
import { defineConfig, defineOperation, externalProvider, type OnejobConfig } from "onejob";
import { z } from "zod";
import { startServer } from "../../src/server/compose.ts";
import { openBenchDatabase, percentile } from "./open-bench-database.ts";

const rounds = Number(process.argv[2] ?? 11);
const createsPerRound = 1_000;
const atOnce = 32;
const owners = Array.from({ length: 20 }, (_, index) => ({
  token: `a-token-of-owner-${index}`,
  ownerId: `owner-${index}`,
  roles: ["OWNER"] as const,
}));

const plain: OnejobConfig = defineConfig({
  operations: [
    defineOperation({
      name: "print",
      effectClass: "PURE",
      input: z.json(),
      output: z.json(),
      providers: ["inkjet"],
    }),
  ],
  providers: [externalProvider({ name: "inkjet", revision: "1" })],
  auth: { tokens: owners },
});
/** Never met, so that both create the same. */
const limited: OnejobConfig = { ...plain, limits: { creationsPerOwner: { count: 1_000_000, perMs: 60_000 } } };

async function create(url: string, token: string): Promise<void> {
  const query = `mutation { createJob(input: { operation: "print", idempotencyKey: "${randomUUID()}", input: 1 }) { ... on CreateJobSuccess { created } } }`;
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as { data: { createJob: { created?: boolean } } | null };
  if (data?.createJob.created !== true) throw new Error("A job was not created.");
}

/** Creates per second, with so many callers who each wait for their answer. */
async function measure(url: string, callers: typeof owners, creates: number): Promise<number> {
  let left = creates;
  const startMs = performance.now();
  const call = async (lane: number): Promise<void> => {
    const token = callers[lane % callers.length]?.token ?? "";
    while (left > 0) {
      left -= 1;
      await create(url, token);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, lane) => call(lane)));
  return (creates * 1_000) / (performance.now() - startMs);
}

const database = await openBenchDatabase();
const servers = {
  without: await startServer({ config: plain, port: 0, databaseUrl: database.url }),
  with: await startServer({ config: limited, port: 0, databaseUrl: database.url }),
};
console.log(`Creates per second over HTTP, ${atOnce} callers, ${rounds} rounds of ${createsPerRound} each, in turns:`);
for (const [name, callers] of [
  ["one owner", owners.slice(0, 1)],
  ["twenty owners", owners],
] as const) {
  const seen: Record<keyof typeof servers, number[]> = { without: [], with: [] };
  for (let round = -1; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (["without", "with"] as const) : (["with", "without"] as const);
    for (const which of order) {
      const perSecond = await measure(servers[which].url, callers, createsPerRound);
      // The first round warms up.
      if (round >= 0) seen[which].push(perSecond);
    }
  }
  const [without, limitedRate] = [percentile(seen.without, 0.5), percentile(seen.with, 0.5)];
  console.log(
    `${name.padEnd(14)} without a limit ${without.toFixed(0)}/s   with ${limitedRate.toFixed(0)}/s   with / without: ${(limitedRate / without).toFixed(2)}`,
  );
}
await servers.with.stop();
await servers.without.stop();
await database.close();
