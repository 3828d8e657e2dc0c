/** The PostgreSQL that a run of the simulation stands on: an embedded one in a folder of its own, or the one that is named. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { startEmbeddedPostgres } from "../../src/server/embedded-postgres/start-embedded-postgres.ts";

export interface DatabaseServer {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startDatabaseServer(): Promise<DatabaseServer> {
  const given = process.env.ONEJOB_TEST_DATABASE_URL;
  if (given !== undefined) return { url: given, stop: () => Promise.resolve() };
  const folder = await mkdtemp(join(tmpdir(), "onejob-simulation-"));
  const server = await startEmbeddedPostgres({ dataDir: folder });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs `work` on an empty database of that name, which is dropped afterwards. */
export async function withDatabase<Value>(
  serverUrl: string,
  name: string,
  work: (url: string) => Promise<Value>,
): Promise<Value> {
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  try {
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.unsafe(`create database ${name}`);
    return await work(url.href);
  } finally {
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.end({ timeout: 5 });
  }
}
