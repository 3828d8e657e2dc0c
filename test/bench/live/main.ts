/**
 * Measures live delivery: how late events reach subscribers, what a subscriber costs the server, and what delivery costs
 * those who create jobs. It judges nothing: `npm run bench:live` prints what it saw, for docs/live-performance.md.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openWorld, type World } from "./bench-world.ts";
import { runCreationWays } from "./creation-ways.ts";
import { runGoal } from "./goal.ts";
import { type LatencyRound, type LatencySeen, runLatencyRound } from "./latency.ts";
import { fitsOpenFiles, openFiles } from "./open-files.ts";
import { type Options, readOptions } from "./options.ts";
import { goalTables, latencyTable, waysTable } from "./write-report.ts";

const startMs = performance.now();

function progress(text: string): void {
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(0).padStart(4);
  process.stderr.write(`${seconds} s  ${text}\n`);
}

function roundsOf({ transports, shapes, subscribers, seconds, profileDir }: Options): LatencyRound[] {
  const rounds: LatencyRound[] = [];
  const add = (round: Omit<LatencyRound, "seconds" | "profilePath">) => {
    const name = `${round.transport}-${round.shape}-${round.subscribers}-${round.committer}`.replaceAll(" ", "-");
    rounds.push({ ...round, seconds, profilePath: profileDir && join(profileDir, `${name}.cpuprofile`) });
  };
  for (const transport of transports) {
    for (const shape of shapes) {
      for (const count of subscribers) {
        add({ transport, shape, subscribers: count, committer: "peer" });
        // The way through NOTIFY against the way within the process.
        if (count === 1 && shape === "one job") add({ transport, shape, subscribers: count, committer: "server" });
      }
    }
  }
  return rounds;
}

async function measureLatency(world: World, options: Options): Promise<string> {
  const seen: LatencySeen[] = [];
  for (const round of roundsOf(options)) {
    if (!fitsOpenFiles(round)) {
      progress(`left out: ${round.subscribers} subscribers over SSE, with ${openFiles} open files: raise ulimit -n`);
      continue;
    }
    progress(
      `${round.transport}, ${round.shape}, ${round.subscribers} subscribers, committed by the ${round.committer}`,
    );
    const one = await runLatencyRound(world, round);
    progress(`  p50 ${one.p50Ms.toFixed(1)} ms, p99 ${one.p99Ms.toFixed(1)} ms`);
    seen.push(one);
  }
  return `### From commit to client\n\n${latencyTable(seen)}`;
}

async function measureGoal(world: World, { seconds, profileDir }: Options): Promise<string> {
  const seen = await runGoal(world, {
    subscribers: 1_000,
    changesPerSecond: 200,
    seconds: 5 * seconds,
    cycles: 6,
    cycleSeconds: seconds / 2,
    profilePath: profileDir && join(profileDir, "goal.cpuprofile"),
    progress: (text) => progress(`goal: ${text}`),
  });
  return `### 1,000 subscribers on 1,000 jobs that change 200 times a second\n\n${goalTables(seen)}`;
}

async function measureWays(world: World, { seconds }: Options): Promise<string> {
  const seen = await runCreationWays(world, 5, seconds / 4, (text) => progress(`notify: ${text}`));
  return `### What telling others costs creation\n\n${waysTable(seen)}`;
}

const measures = { latency: measureLatency, goal: measureGoal, notify: measureWays };

const options = readOptions(process.argv.slice(2));
if (options !== null) {
  if (options.profileDir !== null) await mkdir(options.profileDir, { recursive: true });
  progress("starting a database with jobs to follow");
  const world = await openWorld(options.parts.includes("latency") ? Math.max(...options.subscribers) : 1);
  for (const part of options.parts) console.log(`${await measures[part](world, options)}\n`);
  await world.close();
  progress("done");
}
