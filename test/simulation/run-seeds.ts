/** Plays many seeds in several processes, each with a database of its own, and adds up what they saw. */
import { fork } from "node:child_process";
import { join } from "node:path";
import { repository } from "./load-system.ts";
import type { Failure, Tally } from "./run-seed.ts";
import { withDatabase } from "./start-database-server.ts";
import type { FromWorker, Setting, ToWorker } from "./worker-process.ts";

export interface SeedsRun {
  readonly seeds: number;
  readonly tally: Tally;
  readonly failures: readonly Failure[];
  readonly seconds: number;
}

export interface RunSeeds {
  readonly serverUrl: string;
  readonly seeds: readonly number[];
  readonly steps: number;
  readonly workers: number;
  readonly root?: string;
  readonly guarded?: boolean;
  /** No further seed is begun once one has failed. */
  readonly stopsAtFailure?: boolean;
  /** Tells the databases of this run from those of another one on the same server. */
  readonly name?: string;
  onSeed?(tally: Tally): void;
}

const program = join(import.meta.dirname, "worker-process.ts");

/** Lets one process play seeds until `next` has none left. */
function employ(
  setting: Setting,
  next: () => number | null,
  hear: (report: Extract<FromWorker, { seed: number }>) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(program, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const say = (message: ToWorker): void => void child.send(message);
    const goOn = (): void => {
      const seed = next();
      say(seed === null ? { end: true } : { seed });
    };
    child.on("message", (message: FromWorker) => {
      if ("fault" in message) reject(new Error(message.fault));
      else {
        if ("seed" in message) hear(message);
        goOn();
      }
    });
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`A process of the simulation ended with ${code}.`)),
    );
    say({ setting });
  });
}

export async function runSeeds(run: RunSeeds): Promise<SeedsRun> {
  const { serverUrl, steps, root = repository, guarded = true, stopsAtFailure = false, name = "seeds", onSeed } = run;
  const startedMs = performance.now();
  const tally: Tally = { steps: 0, commands: 0, races: 0, held: 0, cutOff: 0, discards: 0 };
  const failures: Failure[] = [];
  const left = [...run.seeds];
  let played = 0;
  const next = (): number | null => (stopsAtFailure && failures.length > 0 ? null : (left.shift() ?? null));
  const processes = Math.min(run.workers, run.seeds.length);
  await Promise.all(
    Array.from({ length: processes }, (_, index) =>
      withDatabase(serverUrl, `simulation_${name}_${index}`, (url) =>
        employ({ url, root, guarded, steps }, next, ({ report }) => {
          played += 1;
          for (const key of Object.keys(tally) as (keyof Tally)[]) tally[key] += report.tally[key];
          if (report.failure !== null) failures.push(report.failure);
          onSeed?.(tally);
        }),
      ),
    ),
  );
  return { seeds: played, tally, failures, seconds: (performance.now() - startedMs) / 1_000 };
}
