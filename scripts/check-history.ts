/**
 * The command `npm run check:history`: records a history for as long as one likes, on a PostgreSQL of its own, and checks it. How
 * it is recorded and judged is in test/history.
 */
import { randomInt } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmbeddedPostgres } from "../src/server/embedded-postgres/start-embedded-postgres.ts";
import { migrate } from "../src/store/migrate.ts";
import { brokenStoreFlags, disarm } from "../test/history/broken-store.ts";
import { checkHistory } from "../test/history/check-history.ts";
import { countHistory } from "../test/history/count-history.ts";
import type { Operation } from "../test/history/operation.ts";
import { recordHistory } from "../test/history/record-history.ts";

const usage = `Records what client processes are answered by two servers on one database, and checks that it is linearisable.

Usage: npm run check:history -- [OPTIONS]

  --seconds N     record for so long (60)
  --clients N     client processes (6)
  --lanes N       calls that each client has under way (3)
  --kill-every N  kill one server, and start it again, after every N calls (1500)
  --seed N        what the clients ask; the answers are the machine's business (random)
  --broken        with a store that is wrong on purpose: the check must refuse, or the exit code is 1
  --out FILE      write the history there, one call a line, as JSON
  --help          show this

The exit code is 0 if the history is linearisable, 1 if it is refused, 2 if the options make no sense.`;

const options = {
  seconds: { type: "string", default: "60" },
  clients: { type: "string", default: "6" },
  lanes: { type: "string", default: "3" },
  "kill-every": { type: "string", default: "1500" },
  seed: { type: "string" },
  broken: { type: "boolean", default: false },
  out: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

class UsageFault extends Error {}

function readNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageFault(`--${name} takes a number from 1 on, and not ${JSON.stringify(text)}.`);
  return Number(text);
}

function readOptions() {
  try {
    const { values } = parseArgs({ options });
    return {
      ...values,
      seconds: readNumber("seconds", values.seconds),
      clients: readNumber("clients", values.clients),
      lanes: readNumber("lanes", values.lanes),
      killEvery: readNumber("kill-every", values["kill-every"]),
      seed: values.seed === undefined ? randomInt(2 ** 31) : readNumber("seed", values.seed),
    };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageFault(error.message.split(". ", 1)[0]);
    throw error;
  }
}

/** Once a second, while calls are made; the time counts from the first one. */
function pace(lastsMs: number): (history: readonly Operation[]) => boolean {
  let beginMs: number | null = null;
  let saidMs = 0;
  return (history) => {
    beginMs ??= performance.now();
    const elapsedMs = performance.now() - beginMs;
    if (elapsedMs - saidMs >= 5_000) {
      saidMs = elapsedMs;
      console.log(`${Math.round(elapsedMs / 1_000)} s: ${history.length} calls`);
    }
    return elapsedMs >= lastsMs;
  };
}

async function run(): Promise<number> {
  const chosen = readOptions();
  if (chosen.help) {
    console.log(usage);
    return 0;
  }
  const { seconds, clients, lanes, killEvery, seed, broken, out } = chosen;
  const dataDir = await mkdtemp(join(tmpdir(), "onejob-history-"));
  const database = await startEmbeddedPostgres({ dataDir });
  try {
    await migrate(database.url);
    if (broken) await disarm(database.url);
    console.log(`Seed ${seed}: ${clients} clients with ${lanes} calls each at two servers, for ${seconds} s.`);
    const history = await recordHistory({
      databaseUrl: database.url,
      seed,
      clients,
      lanes,
      isEnough: pace(seconds * 1_000),
      killEvery,
      restart: true,
      nodeFlags: broken ? brokenStoreFlags : [],
      say: (line) => console.log(line),
    });
    if (out !== undefined) await writeFile(out, history.map((one) => `${JSON.stringify(one)}\n`).join(""));
    const { answers, ...counts } = countHistory(history);
    for (const [name, count] of Object.entries({ ...counts, ...answers }))
      console.log(`${String(count).padStart(8)}  ${name}`);
    const checkedFromMs = performance.now();
    const refusals = checkHistory(history);
    const tookMs = Math.round(performance.now() - checkedFromMs);
    for (const refusal of refusals.slice(0, 3)) console.log(`\n${refusal}`);
    const registers = counts.keys + counts.jobs;
    console.log(`\n${refusals.length} of ${registers} registers refused, checked in ${tookMs} ms.`);
    return refusals.length > 0 === broken ? 0 : 1;
  } finally {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

process.exit(
  await run().catch((error: unknown) => {
    if (!(error instanceof UsageFault)) throw error;
    console.error(`${error.message} --help shows what there is.`);
    return 2;
  }),
);
