/** A PostgreSQL of the test's own, which it may stop and start again under servers that know it by one address all the time. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../src/server/embedded-postgres/start-embedded-postgres.ts";
import { openWire } from "./wire.ts";

export interface OwnPostgres {
  /** By way of a wire, which stays while the server goes. */
  readonly url: string;
  /** "fast" ends every session in order; "immediate" is what a crash is: the log is replayed at the next start. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good. */
  remove(): Promise<void>;
}

/** `settings` are those of postgresql.conf. */
export async function startOwnPostgres(settings: Readonly<Record<string, string>> = {}): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "onejob-own-"));
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir: folder });
  let { url } = server;
  const wire = await openWire(
    () => url,
    ({ client, database }) => {
      client.pipe(database);
      database.pipe(client);
    },
  );
  async function start(): Promise<void> {
    server = await startEmbeddedPostgres({ dataDir: folder });
    ({ url } = server);
  }
  async function stop(mode: "fast" | "immediate"): Promise<void> {
    if (mode === "immediate") {
      const [pid] = (await readFile(join(folder, "postgres", "postmaster.pid"), "utf8")).split("\n");
      process.kill(Number(pid), "SIGQUIT");
    }
    await server.stop();
  }
  if (Object.keys(settings).length > 0) {
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    for (const [name, value] of Object.entries(settings)) await sql.unsafe(`alter system set ${name} = '${value}'`);
    await sql.end();
    await stop("fast");
    await start();
  }
  return {
    url: wire.url,
    stop,
    start,
    async remove() {
      await server.stop();
      await wire.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
