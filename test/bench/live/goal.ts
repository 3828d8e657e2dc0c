/**
 * The goal of live delivery, as one round: 1,000 subscribers on 1,000 jobs that workers change 200 times a second through the
 * same server. How late events arrive, and what that costs whoever creates jobs meanwhile. It judges nothing.
 */
import { setTimeout as pause } from "node:timers/promises";
import { percentile } from "../open-bench-database.ts";
import { type BenchJob, createJobs } from "./bench-jobs.ts";
import { profiled, type Stage, type World } from "./bench-world.ts";
import { delaysOf, readCommits, readEventCounts } from "./commit-stamps.ts";
import { createJobsOverApi } from "./create-jobs-over-api.ts";
import { forSeconds } from "./pace.ts";
import { workJobs } from "./work-jobs.ts";

export interface GoalOptions {
  readonly subscribers: number;
  readonly changesPerSecond: number;
  readonly seconds: number;
  /** Of creation, each with four spans: changes or none, subscribers or none. */
  readonly cycles: number;
  readonly cycleSeconds: number;
  readonly profilePath: string | null;
  progress(text: string): void;
}

export interface Delivery {
  readonly changesPerSecond: number;
  readonly frames: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface GoalSeen {
  /** With nobody creating jobs. */
  readonly alone: Delivery;
  /** The server's share of one core meanwhile, and with the same changes followed by nobody. */
  readonly cpuShare: number;
  readonly cpuShareUnfollowed: number;
  /** While callers create as many jobs as the server takes. */
  readonly besideCreation: Delivery;
  /** Creations a second, in the order in which they were measured. */
  readonly creations: Readonly<Record<Span, readonly number[]>>;
}

export const spans = ["still", "followed", "changing", "delivered"] as const;
/** Nothing; subscribers; changes; both. */
export type Span = (typeof spans)[number];

const isFollowed = (span: Span) => span === "followed" || span === "delivered";
const isChanging = (span: Span) => span === "changing" || span === "delivered";

export async function runGoal(world: World, options: GoalOptions): Promise<GoalSeen> {
  const { subscribers, changesPerSecond, seconds, cycles, cycleSeconds, progress } = options;
  const jobs = await createJobs(world.store, "worked", subscribers);
  const stage = await world.openStage();
  const { server, clients, url } = stage;
  await open(world, stage, jobs);
  progress("warming up");
  await Promise.all([workJobs(url, changesPerSecond, forSeconds(3)), createJobsOverApi(url, forSeconds(3))]);
  await pause(500);

  const share = async <Result>(work: () => Promise<Result>): Promise<[Result, number]> => {
    const startMs = await server.ask("cpuMs", null);
    const result = await work();
    return [result, ((await server.ask("cpuMs", null)) - startMs) / 1_000 / seconds];
  };
  progress(`${seconds} s of changes`);
  const [alone, cpuShare] = await share(() =>
    collect(world, stage, jobs, () =>
      profiled(stage, options.profilePath, () => workJobs(url, changesPerSecond, forSeconds(seconds))),
    ),
  );
  await clients.ask("close", null);
  progress(`${seconds} s of changes that nobody follows`);
  const [, cpuShareUnfollowed] = await share(() => workJobs(url, changesPerSecond, forSeconds(seconds)));

  const creations: Record<Span, number[]> = { still: [], followed: [], changing: [], delivered: [] };
  const delays: number[] = [];
  let changes = 0;
  let isOpen = false;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    // There and back, so that whatever drifts falls on all alike.
    for (const span of cycle % 2 === 0 ? spans : spans.toReversed()) {
      progress(`creation, cycle ${cycle + 1} of ${cycles}: ${span}`);
      if (isFollowed(span) !== isOpen) await (isOpen ? clients.ask("close", null) : open(world, stage, jobs));
      isOpen = isFollowed(span);
      const signal = forSeconds(cycleSeconds);
      const create = async () => void creations[span].push(await createJobsOverApi(url, signal));
      const work = () => (isChanging(span) ? workJobs(url, changesPerSecond, signal) : Promise.resolve(0));
      if (span !== "delivered") {
        await Promise.all([create(), work()]);
        continue;
      }
      const seen = await collect(world, stage, jobs, async () => (await Promise.all([work(), create()]))[0]);
      delays.push(...seen.delays);
      changes += seen.changes;
    }
  }
  await stage.close();
  const besideCreation = deliveryOf(delays, changes, cycles * cycleSeconds);
  return {
    alone: deliveryOf(alone.delays, alone.changes, seconds),
    cpuShare,
    cpuShareUnfollowed,
    besideCreation,
    creations,
  };
}

async function open(world: World, { clients, url }: Stage, jobs: readonly BenchJob[]): Promise<void> {
  const counts = await readEventCounts(world.sql, jobs);
  const targets = jobs.map(({ id }, index) => ({ jobId: id, after: (counts[index] ?? 1) - 1 }));
  await clients.ask("open", { url, transport: "WebSocket", targets });
}

interface Collected {
  readonly changes: number;
  readonly delays: readonly number[];
}

/** Does the work, waits for its last events, and says how late each of them was. */
async function collect(
  world: World,
  { clients }: Stage,
  jobs: readonly BenchJob[],
  work: () => Promise<number>,
): Promise<Collected> {
  await clients.ask("take", null);
  const counts = await readEventCounts(world.sql, jobs);
  const changes = await work();
  const commits = await readCommits(world.sql, jobs, counts);
  await clients.ask(
    "frames",
    commits.reduce((sum, events) => sum + events.size, 0),
  );
  return { changes, delays: delaysOf(await clients.ask("take", null), commits, (target) => target) };
}

function deliveryOf(delays: readonly number[], changes: number, seconds: number): Delivery {
  return {
    changesPerSecond: changes / seconds,
    frames: delays.length,
    p50Ms: percentile(delays, 0.5),
    p99Ms: percentile(delays, 0.99),
  };
}
