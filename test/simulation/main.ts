/** The command line of the simulation: `npm run simulate -- --help` says what it takes. It plays no seed itself. */

import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type Catch, hunt } from "./hunt-mutants.ts";
import { keepSeed, readKeptSeeds } from "./kept-seeds.ts";
import { mutants } from "./mutants.ts";
import { openProgress } from "./progress.ts";
import { catchText, failureText, mutantsText, summaryText } from "./report.ts";
import { runSeeds } from "./run-seeds.ts";
import { startDatabaseServer } from "./start-database-server.ts";

const help = `Simulates clients, workers, sweepers and operators at random against a real PostgreSQL, and holds what they see
and leave behind against a model and the invariants of the design.

  npm run simulate -- [--seeds N] [--steps M] [--from S] [--workers W]
  npm run simulate -- --seed S [--steps M]
  npm run simulate -- --mutants [--seeds N] [--steps M] [--only NAME]

  --seeds N     how many seeds, 100 by default; with --mutants, how many at most for each mutant
  --steps M     steps of each seed, 200 by default
  --from S      the first seed, 1 by default
  --seed S      this seed alone
  --workers W   processes, each with a database of its own; by default one for each core
  --mutants     breaks the store on purpose, in one way after the other, until a seed catches each
  --only NAME   with --mutants: this mutant alone

Seeds that have failed before are played first: test/simulation/failing-seeds.txt.

The same seed makes the same choices, by the same clock, in every run. What it cannot repeat is how commands that are under
way at the same time get in each other's way: a failure of a race may need several runs of its seed.
ONEJOB_TEST_DATABASE_URL names a server to use in place of an embedded one; its user must be a superuser.
`;

const options = {
  seeds: { type: "string", default: "100" },
  steps: { type: "string", default: "200" },
  from: { type: "string", default: "1" },
  seed: { type: "string" },
  workers: { type: "string", default: `${cpus().length}` },
  mutants: { type: "boolean", default: false },
  only: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

function readNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} takes a number from 1 on, not ${text}.`);
  return number;
}

function readOptions() {
  const { values } = parseArgs({ options });
  const single = values.seed === undefined ? null : readNumber("seed", values.seed);
  const [from, count] =
    single === null ? [readNumber("from", values.from), readNumber("seeds", values.seeds)] : [single, 1];
  const seeds = Array.from({ length: count }, (_, index) => from + index);
  if (values.only !== undefined && !mutants.some((one) => one.name === values.only)) {
    throw new Error(`There is no mutant "${values.only}". There are: ${mutants.map((one) => one.name).join(", ")}.`);
  }
  return {
    seeds,
    steps: readNumber("steps", values.steps),
    workers: readNumber("workers", values.workers),
    isSingle: single !== null,
    only: values.only,
    huntsMutants: values.mutants,
    asksHelp: values.help,
  };
}

type Options = ReturnType<typeof readOptions>;

async function simulate({ seeds, steps, workers, isSingle }: Options, serverUrl: string): Promise<number> {
  const kept = isSingle ? [] : readKeptSeeds();
  const progress = openProgress(seeds.length + kept.length);
  const run = await runSeeds({ serverUrl, seeds: [...kept, ...seeds], steps, workers, onSeed: progress.advance });
  progress.close();
  for (const failure of run.failures) {
    process.stdout.write(failureText(failure, steps));
    if (!isSingle) keepSeed(failure.seed);
  }
  process.stdout.write(summaryText(run));
  return run.failures.length === 0 ? 0 : 1;
}

async function breedMutants({ seeds, steps, workers, only }: Options, serverUrl: string): Promise<number> {
  const chosen = only === undefined ? mutants : mutants.filter((one) => one.name === only);
  const progress = openProgress(chosen.length);
  const onMutant = (one: Catch): void => {
    process.stderr.write(`\r${catchText(one)}\u001b[K\n`);
    progress.advance();
  };
  const catches = await hunt({ serverUrl, mutants: chosen, seeds, steps, workers, onMutant });
  progress.close();
  process.stdout.write(mutantsText(catches));
  return catches.every((one) => one.failure !== null) ? 0 : 1;
}

async function main(): Promise<number> {
  const settings = readOptions();
  if (settings.asksHelp) {
    process.stdout.write(help);
    return 0;
  }
  const server = await startDatabaseServer();
  // Interrupted, it leaves no database server behind.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void server.stop().finally(() => process.exit(130)));
  }
  try {
    return await (settings.huntsMutants ? breedMutants(settings, server.url) : simulate(settings, server.url));
  } finally {
    await server.stop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
  process.exitCode = 1;
}
