/** An embedded PostgreSQL of a benchmark's own, thrown away with its data, and the figures that benchmarks print. It measures nothing itself. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { startEmbeddedPostgres } from "../../src/server/embedded-postgres/start-embedded-postgres.ts";

/** `settings` are those of PostgreSQL that count from its start on. */
export async function openBenchDatabase(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "onejob-bench-"));
  let database = await startEmbeddedPostgres({ dataDir });
  if (Object.keys(settings).length > 0) {
    const sql = postgres(database.url, { max: 1, onnotice: () => {} });
    for (const [name, value] of Object.entries(settings)) await sql.unsafe(`alter system set ${name} = '${value}'`);
    await sql.end();
    await database.stop();
    database = await startEmbeddedPostgres({ dataDir });
  }
  return {
    url: database.url,
    async close() {
      await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The value that so large a share of them does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
