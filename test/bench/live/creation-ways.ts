/**
 * What it costs the database to tell others of new jobs: creations a second through the store's own statement, with no
 * notification, with the one for each batch that the store sends, and with one for each job. In turns, on the same tables.
 */
import pLimit from "p-limit";
import { Batcher } from "../../../src/store/batcher.ts";
import type { CreateJob, CreateJobAnswer } from "../../../src/store/commands.ts";
import { connect, defaultPoolSize } from "../../../src/store/connect.ts";
import { maxBatchSize, queuedChannel } from "../../../src/store/notify.ts";
import { runVerb, type Verb } from "../../../src/store/verb.ts";
import type { VerbRun } from "../../../src/store/verb-run.ts";
import { createJobs } from "../../../src/store/write/create-jobs.ts";
import { percentile } from "../open-bench-database.ts";
import { jobCommand } from "./bench-jobs.ts";
import type { World } from "./bench-world.ts";
import { forSeconds } from "./pace.ts";

interface Way {
  readonly name: string;
  /** Whether callers share statements, as in the store, or each job is a statement and a commit of its own. */
  readonly batched: boolean;
  readonly notification: "none" | "for each statement" | "for each job";
}

const ways: readonly Way[] = [
  { name: "batches, no notification", batched: true, notification: "none" },
  { name: "batches, one NOTIFY for each (the store)", batched: true, notification: "for each statement" },
  { name: "batches, one NOTIFY for each job", batched: true, notification: "for each job" },
  { name: "a commit for each job, no notification", batched: false, notification: "none" },
  { name: "a commit for each job, with its NOTIFY", batched: false, notification: "for each job" },
];

export interface WaySeen {
  readonly name: string;
  readonly perSecond: number;
  /** To the same commits without a notification. */
  readonly ratio: number;
}

const callers = 128;

/** As those do who notify once per job: a trigger, here beside the store's own, which is off wherever this one is on. */
const trigger = `
  create function bench_notify() returns trigger language plpgsql as $$
    begin perform pg_notify('${queuedChannel}', 'bench:' || new.id); return null; end $$;
  create trigger bench_notify after insert on jobs for each row execute function bench_notify();
  alter table jobs disable trigger bench_notify;`;

function silent(verb: Verb<CreateJob, unknown, CreateJobAnswer>): Verb<CreateJob, unknown, CreateJobAnswer> {
  return { ...verb, apply: (sql, plans, mode) => verb.apply(sql, plans, { ...mode, notifyAs: null }) };
}

async function measure(run: VerbRun, way: Way, seconds: number): Promise<number> {
  const own = createJobs as Verb<CreateJob, unknown, CreateJobAnswer>;
  const verb = way.notification === "for each statement" ? own : silent(own);
  const batcher = new Batcher<CreateJob, CreateJobAnswer>({
    maxSize: way.batched ? maxBatchSize : 1,
    maxInFlight: way.batched ? 2 : defaultPoolSize,
    keyOf: () => null,
    run: (commands, settle) => runVerb(run, verb, commands, settle),
  });
  const signal = forSeconds(seconds);
  const startMs = performance.now();
  let created = 0;
  const call = async (): Promise<void> => {
    for (; !signal.aborted; created += 1) await batcher.ask(jobCommand("left"));
  };
  await Promise.all(Array.from({ length: callers }, call));
  return (created * 1_000) / (performance.now() - startMs);
}

export async function runCreationWays(
  world: World,
  rounds: number,
  seconds: number,
  progress: (text: string) => void,
): Promise<WaySeen[]> {
  await world.sql.unsafe(trigger);
  // It listens, as every server does: a notification that nobody hears is cheaper.
  const stage = await world.openStage();
  const { sql, close } = connect({ url: world.databaseUrl });
  const nothing = () => {};
  const run: VerbRun = {
    sql,
    notifyAs: "bench",
    lone: pLimit(1),
    changed: nothing,
    progressed: nothing,
    wake: nothing,
    dueAfter: nothing,
    unheard: nothing,
    lost: nothing,
  };
  const seen = new Map<Way, number[]>(ways.map((way) => [way, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      progress(`${round < 0 ? "warming up" : `round ${round + 1} of ${rounds}`}: ${way.name}`);
      const isPerJob = way.notification === "for each job";
      if (isPerJob) await world.sql.unsafe("alter table jobs enable trigger bench_notify");
      const perSecond = await measure(run, way, round < 0 ? 0.5 : seconds);
      if (isPerJob) await world.sql.unsafe("alter table jobs disable trigger bench_notify");
      if (round >= 0) seen.get(way)?.push(perSecond);
    }
  }
  await close();
  await stage.close();
  const median = (way: Way) => percentile(seen.get(way) ?? [], 0.5);
  return ways.map((way) => {
    const silentWay = ways.find((one) => one.batched === way.batched && one.notification === "none") ?? way;
    return { name: way.name, perSecond: median(way), ratio: median(way) / median(silentWay) };
  });
}
