/**
 * Measures what a second line behind the owner's condition costs: row-level security, told the owner in several ways, against
 * the query as it is, on 100,000 jobs of 1,000 owners. It judges nothing: `npm run bench:isolation` prints what it saw, and
 * docs/decisions/0010-row-level-security.md says what followed.
 */
import { randomInt } from "node:crypto";
import postgres from "postgres";
import { migrate } from "../../src/store/migrate.ts";
import { ofOwner } from "../../src/store/read/of-owner.ts";
import { openWays, preparation, type Way } from "./isolation-ways.ts";
import { openBenchDatabase, percentile } from "./open-bench-database.ts";

const rounds = Number(process.argv[2] ?? 1_000);
const warmUpRounds = 100;
const owners = 1_000;
const jobsOfOwner = 100;

/** Jobs alone, without the attempts that the triggers would ask for: nothing else is read. */
async function fill(sql: postgres.Sql): Promise<ReadonlyMap<string, readonly string[]>> {
  await sql.begin(async (session) => {
    await session`set local session_replication_role = replica`;
    await session`
      insert into jobs (id, latest_attempt, owner_id, idempotency_key, given_digest, resolved_digest, digest_version, operation,
        operation_version, provider, fallback_providers, input, metadata, priority, state, event_count, created_at, updated_at)
      select gen_random_uuid(), gen_random_uuid(), 'owner-' || o, 'key-' || n, md5(n::text), md5(o::text), 1, 'print', 1, 'inkjet',
        '{}', jsonb_build_object('text', repeat('Menu ', 40)), null, 0, 'QUEUED', 2, now() - n * interval '1 minute', now()
      from generate_series(1, ${jobsOfOwner}::int) n, generate_series(1, ${owners}::int) o`;
  });
  await sql`vacuum analyze jobs`;
  const rows = await sql<{ owner: string; ids: string[] }[]>`
    select owner_id as owner, array_agg(id)::text[] as ids from jobs group by 1`;
  return new Map(rows.map(({ owner, ids }) => [owner, ids]));
}

interface Reading {
  readonly name: string;
  readonly rows: number;
  read(way: Way, owner: string, ids: readonly string[]): Promise<readonly { readonly owner: string }[]>;
}

const readings: readonly Reading[] = [
  { name: "a job by its id", rows: 1, read: (way, owner, ids) => way.byIds(owner, ids.slice(0, 1)) },
  { name: "20 jobs by their ids", rows: 20, read: (way, owner, ids) => way.byIds(owner, ids.slice(0, 20)) },
  { name: "a page of 20, newest first", rows: 20, read: (way, owner) => way.newest(owner) },
];

/** Prints each way's median and tenth percentile, and their ratios to the first way's. */
async function compare(ways: readonly Way[], idsOf: ReadonlyMap<string, readonly string[]>): Promise<void> {
  for (const { name, rows, read } of readings) {
    const seen = ways.map((): number[] => []);
    for (let round = 0; round < warmUpRounds + rounds; round += 1) {
      const owner = `owner-${1 + randomInt(owners)}`;
      const ids = idsOf.get(owner) ?? [];
      for (let place = 0; place < ways.length; place += 1) {
        // Each round begins with another way, so that none always finds the rows warm.
        const index = (place + round) % ways.length;
        const way = ways[index] as Way;
        const startMs = performance.now();
        const found = await read(way, owner, ids);
        const tookMs = performance.now() - startMs;
        if (found.length !== rows || found.some((job) => job.owner !== owner))
          throw new Error(`${way.name}: wrong jobs.`);
        if (round >= warmUpRounds) seen[index]?.push(tookMs);
      }
    }
    // The tenth percentile as well: what else the machine does hardly shows in it.
    const [low, middle] = [0.1, 0.5].map((share) => seen.map((took) => percentile(took, share)));
    console.log(name);
    for (const [index, way] of ways.entries()) {
      const figures = [middle, low].map((one = []) => {
        const [own = Number.NaN, first = Number.NaN] = [one[index], one[0]];
        return `${own.toFixed(3)} ms (${(own / first).toFixed(2)})`;
      });
      console.log(`  ${way.name.padEnd(44)} p50 ${figures[0]}   p10 ${figures[1]}`);
    }
  }
}

const database = await openBenchDatabase();
await migrate(database.url);
const sql = postgres(database.url, { max: 1, onnotice: () => {} });
const idsOf = await fill(sql);
await sql.unsafe(preparation);
const { inDatabase, inStore, close } = openWays(database.url);

// Before any figure: whoever asks for another owner's jobs gets none, in every way.
for (const way of [...inDatabase, ...inStore]) {
  const strangers = await way.byIds("owner-1", idsOf.get("owner-2")?.slice(0, 20) ?? []);
  if (strangers.length > 0) throw new Error(`${way.name}: it showed another owner's jobs.`);
}

console.log(`${rounds} calls each, one after another, the ways in turn; in brackets the ratio to the first way's.`);
console.log("\nStatements alone:");
await compare(inDatabase, idsOf);
console.log("\nThe store's reads, rows made jobs:");
await compare(inStore, idsOf);

// Of what the last two lines differ by, alone: too little to be seen in them.
const rowsOfOne = Array.from({ length: 20 }, () => ({ ownerId: "owner-1" }));
const looks = 1_000_000;
const startMs = performance.now();
for (let look = 0; look < looks; look += 1) ofOwner("owner-1", rowsOfOne);
console.log(`\nThe second look alone, at 20 rows: ${(((performance.now() - startMs) * 1_000) / looks).toFixed(2)} µs`);

await close();
await sql.end();
await database.close();
