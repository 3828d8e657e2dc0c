/**
 * Measures what reports of progress cost: creates per second with and without them, in turns on one server, and what reaches
 * the database and the clients. It judges nothing: `npm run bench:progress` prints what it saw.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openBenchDatabase, percentile } from "./open-bench-database.ts";
import { createJob, followJobs, reportOver } from "./progress-clients.ts";
import { type BenchServer, type Counts, serveProgress, startProgressServer } from "./progress-server.ts";

const help = `npm run bench:progress -- [options]
  --jobs 500        jobs whose attempts report
  --rate 10         reports a second of each
  --followed 100    of these jobs, how many a client follows (50 on a socket)
  --rounds 5        rounds of each kind, in turns
  --seconds 4       length of a round
  --window 100      live.progressMs
  --api-jobs 100    attempts of workers who report over WebSocket, in a kind of round of their own; 0 for none`;

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "500" },
    rate: { type: "string", default: "10" },
    followed: { type: "string", default: "100" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    window: { type: "string", default: "100" },
    "api-jobs": { type: "string", default: "100" },
    serve: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const [jobs, rate, followed, rounds, seconds, windowMs, apiJobs] = [
  values.jobs,
  values.rate,
  values.followed,
  values.rounds,
  values.seconds,
  values.window,
  values["api-jobs"],
].map(Number) as [number, number, number, number, number, number, number];

const creators = 16;
type Kind = "no reports" | "in the server" | "over the API";

interface Seen extends Counts {
  created: number;
  messages: number;
  answered: number;
}

/** What happened in one round, per second. */
async function measure(server: BenchServer, work: { messages(): number; answered(): number }): Promise<Seen> {
  const before = { ...(await server.counts()), messages: work.messages(), answered: work.answered() };
  const startMs = performance.now();
  let created = 0;
  const create = async (): Promise<void> => {
    while (performance.now() - startMs < seconds * 1_000) {
      await createJob(server.url, "print", randomUUID());
      created += 1;
    }
  };
  await Promise.all(Array.from({ length: creators }, create));
  const after = await server.counts();
  const perSecond = (count: number) => (count * 1_000) / (performance.now() - startMs);
  return {
    created: perSecond(created),
    offered: perSecond(after.offered - before.offered),
    written: perSecond(after.written - before.written),
    statements: perSecond(after.statements - before.statements),
    cpuMs: perSecond(after.cpuMs - before.cpuMs),
    messages: perSecond(work.messages() - before.messages),
    answered: perSecond(work.answered() - before.answered),
  };
}

async function main(): Promise<void> {
  const database = await openBenchDatabase();
  const server = await startProgressServer(import.meta.filename, database.url, [
    `--jobs=${jobs}`,
    `--rate=${rate}`,
    `--window=${windowMs}`,
  ]);
  const ids: string[] = [];
  for (let made = 0; made < jobs; made += 1) ids.push(await createJob(server.url, "report", randomUUID()));
  const follow = await followJobs(server.url, ids.slice(0, followed));
  const workers = await reportOver(server.url, apiJobs);
  const work = { messages: () => follow.messages(), answered: () => workers.answered() };
  const kinds: Kind[] = ["no reports", "in the server", ...(apiJobs > 0 ? (["over the API"] as const) : [])];
  const seen = new Map<Kind, Seen[]>(kinds.map((kind) => [kind, []]));
  console.log(
    `${jobs} attempts in the server and ${apiJobs} of workers over WebSocket, each reporting ${rate} times a second, window ${windowMs} ms;`,
  );
  console.log(
    `${followed} of the former are followed; ${creators} callers create; ${rounds} rounds of ${seconds} s each.`,
  );
  // The first round warms up.
  for (let round = -1; round < rounds; round += 1) {
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      await server.report(kind === "in the server");
      workers.report(kind === "over the API" ? rate : 0);
      await pause(300);
      const one = await measure(server, work);
      if (round >= 0) seen.get(kind)?.push(one);
    }
  }
  const median = (kind: Kind, key: keyof Seen) => percentile(seen.get(kind)?.map((one) => one[key]) ?? [], 0.5);
  for (const kind of kinds) {
    const of = (key: keyof Seen) => median(kind, key);
    const offered = kind === "in the server" ? of("offered") : of("answered");
    console.log(
      `${kind.padEnd(14)} created ${of("created").toFixed(0)}/s (${(of("created") / median("no reports", "created")).toFixed(2)})` +
        `   reports ${offered.toFixed(0)}/s, written ${of("written").toFixed(0)}/s in ${of("statements").toFixed(0)} statements` +
        `   to each follower ${(of("messages") / Math.max(1, followed)).toFixed(1)}/s   CPU of the server ${(of("cpuMs") / 10).toFixed(0)} %`,
    );
  }
  workers.stop();
  follow.stop();
  server.stop();
  await database.close();
}

if (values.help) console.log(help);
else if (values.serve !== undefined) await serveProgress(values.serve, { jobs, rate, windowMs });
else await main();
