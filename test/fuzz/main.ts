/** The fuzz as a command, for as many runs as one likes: `npm run fuzz -- --help`. What it sends and judges is in run-fuzz.ts. */
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmbeddedPostgres } from "../../src/server/embedded-postgres/start-embedded-postgres.ts";
import { runFuzz, type Tally } from "./run-fuzz.ts";

const help = `Sends random GraphQL documents to a server of its own, and tells of the first answer that none may give.

  npm run fuzz -- [--runs N] [--seed S] [--path P]

  --runs N   how many documents; 5000 unless said otherwise
  --seed S   which ones; a seed always gives the same. Chosen at random unless said otherwise, and printed
  --path P   one document of the seed, as a failure has named it
`;

const say = (text: string) => process.stdout.write(text);

function readOptions() {
  const texts = { runs: { type: "string" }, seed: { type: "string" }, path: { type: "string" } } as const;
  const { values } = parseArgs({ options: { ...texts, help: { type: "boolean" } } });
  const numberOf = (name: "runs" | "seed", fallback: number): number => {
    const number = Number(values[name] ?? fallback);
    if (Number.isSafeInteger(number)) return number;
    throw new Error(`--${name} is a whole number, and ${values[name]} is none.`);
  };
  const runs = numberOf("runs", 5_000);
  return { help: values.help === true, runs, seed: numberOf("seed", randomInt(2 ** 31)), path: values.path };
}

/** By name, so that two runs are easily compared. */
function inOrder(counts: Readonly<Record<string, number>>): [name: string, count: number][] {
  return Object.entries(counts).toSorted(([left], [right]) => left.localeCompare(right));
}

function tell({ asked, answeredData, callers, codes, fields }: Tally): void {
  for (const [kind, count] of inOrder(asked))
    say(`  ${kind.padEnd(24)} ${String(count).padStart(6)}, of which ${answeredData[kind] ?? 0} answered with data\n`);
  for (const [title, counts] of [
    ["callers", callers],
    ["errors", codes],
    ["fields answered", fields],
  ] as const)
    say(
      `  ${title}: ${inOrder(counts)
        .map((pair) => pair.join(" "))
        .join(", ")}\n`,
    );
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) return void say(help);
  const { runs, seed, path } = options;
  const startedMs = performance.now();
  const seconds = () => ((performance.now() - startedMs) / 1_000).toFixed(1);
  const dataDir = await mkdtemp(join(tmpdir(), "onejob-fuzz-"));
  const database = await startEmbeddedPostgres({ dataDir });
  try {
    say(`seed ${seed}, ${runs} runs\n`);
    const report = await runFuzz({
      databaseUrl: database.url,
      runs,
      seed,
      ...(path !== undefined && { path }),
      onCall: (count) => {
        if (count % 250 === 0) say(`  ${count} after ${seconds()} s\n`);
      },
    });
    tell(report.tally);
    say(
      report.failure === null
        ? `All well after ${seconds()} s.\n`
        : `FAILED after ${seconds()} s.\n${report.failure}\n`,
    );
    if (report.failure !== null) process.exitCode = 1;
  } finally {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
