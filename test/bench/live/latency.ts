/** One round of bench:live: so many subscribers over one transport, what they cost while nothing happens, and how late changes reach them. */
import { setTimeout as pause } from "node:timers/promises";
import { percentile } from "../open-bench-database.ts";
import { type Change, changeByApi, changeByStore, type FencedJob } from "./bench-jobs.ts";
import { profiled, type Stage, type World } from "./bench-world.ts";
import { delaysOf, readCommits, readEventCounts } from "./commit-stamps.ts";
import type { Transport } from "./following.ts";
import { forSeconds, pace } from "./pace.ts";

export interface LatencyRound {
  readonly transport: Transport;
  readonly subscribers: number;
  /** One job that all follow, or one job each. */
  readonly shape: "one job" | "one each";
  /** Which process commits: a peer of the server, or the server itself. */
  readonly committer: "peer" | "server";
  readonly seconds: number;
  /** Where the server's profile goes; null for none. */
  readonly profilePath: string | null;
}

export interface LatencySeen {
  readonly round: LatencyRound;
  readonly connections: number;
  readonly changes: number;
  readonly frames: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The server's processor time for each frame, with the reading that it took. */
  readonly cpuMsPerFrame: number;
  /** The server's processor time a second while nothing changes. */
  readonly idleCpuMsPerSecond: number;
  readonly rssBytesEach: number;
  readonly heapBytesEach: number;
}

const warmUpSeconds = 1.5;
const idleSeconds = 2;
/** Of one job each; with a single job, so fast as one after the other can be committed anyway. */
const changesPerSecond = 200;
const changesPerSecondOfOne = 50;
/** From the last arrival of a change that all have seen to the next change. */
const gapMs = 20;

/** One change after the other, each when all have seen the one before: how late it is by itself, not behind others. */
async function changeForAll(stage: Stage, change: Change, job: FencedJob, subscribers: number, signal: AbortSignal) {
  let changes = 0;
  while (!signal.aborted) {
    await change(job);
    changes += 1;
    await stage.clients.ask("frames", changes * subscribers);
    await pause(gapMs);
  }
  return changes;
}

async function changeEach(stage: Stage, change: Change, jobs: readonly FencedJob[], signal: AbortSignal) {
  let next = 0;
  const rate = jobs.length === 1 ? changesPerSecondOfOne : changesPerSecond;
  const changes = await pace(rate, signal, async () => {
    const job = jobs[next % jobs.length];
    next += 1;
    if (job !== undefined) await change(job);
  });
  await stage.clients.ask("frames", changes);
  return changes;
}

export async function runLatencyRound(world: World, round: LatencyRound): Promise<LatencySeen> {
  const { transport, subscribers, shape, seconds } = round;
  const jobs = world.jobs.slice(0, shape === "one job" ? 1 : subscribers);
  const jobOf = (target: number) => (shape === "one job" ? 0 : target);
  const stage = await world.openStage();
  const { server, clients, url } = stage;
  const change = round.committer === "server" ? changeByApi(url) : changeByStore(world.store);
  const act = async (signal: AbortSignal) => {
    const [first] = jobs;
    if (shape === "one job" && first !== undefined) return changeForAll(stage, change, first, subscribers, signal);
    return changeEach(stage, change, jobs, signal);
  };
  /** Each shows its newest event at once, which proves that it is there. */
  const open = async (count: number) => {
    const counts = await readEventCounts(world.sql, jobs);
    const targets = Array.from({ length: count }, (_, target) => {
      return { jobId: jobs[jobOf(target)]?.id ?? "", after: (counts[jobOf(target)] ?? 1) - 1 };
    });
    return clients.ask("open", { url, transport, targets });
  };

  // What the first subscribers make the server load is not theirs to answer for.
  await open(Math.min(subscribers, 50));
  await clients.ask("close", null);
  await pause(100);
  const before = await server.ask("memory", null);
  const connections = await open(subscribers);
  const opened = await server.ask("memory", null);
  // The collection goes on for a while beside the program.
  await pause(500);
  const stillCpuMs = await server.ask("cpuMs", null);
  await pause(idleSeconds * 1_000);
  const idled = await server.ask("cpuMs", null);
  await act(forSeconds(warmUpSeconds));
  await clients.ask("take", null);
  const counts = await readEventCounts(world.sql, jobs);
  const startCpuMs = await server.ask("cpuMs", null);
  const changes = await profiled(stage, round.profilePath, () => act(forSeconds(seconds)));
  const cpuMs = (await server.ask("cpuMs", null)) - startCpuMs;
  const arrivals = await clients.ask("take", null);
  await stage.close();
  const delays = delaysOf(arrivals, await readCommits(world.sql, jobs, counts), jobOf);
  const frames = delays.length;
  return {
    round,
    connections,
    changes,
    frames,
    p50Ms: percentile(delays, 0.5),
    p99Ms: percentile(delays, 0.99),
    cpuMsPerFrame: cpuMs / frames,
    idleCpuMsPerSecond: (idled - stillCpuMs) / idleSeconds,
    rssBytesEach: (opened.rssBytes - before.rssBytes) / subscribers,
    heapBytesEach: (opened.heapBytes - before.heapBytes) / subscribers,
  };
}
