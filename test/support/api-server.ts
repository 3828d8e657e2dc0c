/** A server of the test's own on a fresh migrated database, in this process; more of them may share its database. */
import type { OnejobConfig } from "onejob";
import postgres from "postgres";
import type { RuntimeOptions } from "../../src/runtime/runtime.ts";
import { type RunningServer, type StartOptions, startServer } from "../../src/server/compose.ts";
import type { ServerLog } from "../../src/server/log.ts";
import { decodeId } from "../../src/store/ids.ts";
import { type Api, connectApi } from "./api-client.ts";
import { apiConfig, type Bearer, type Caller } from "./api-config.ts";
import { startWorker, type Worker } from "./api-worker.ts";
import { readRows } from "./read-rows.ts";
import { createMigratedDatabase } from "./test-database.ts";

export interface ApiServerOptions {
  readonly config?: OnejobConfig;
  readonly runtime?: RuntimeOptions;
  readonly store?: StartOptions["store"];
  /** By default warnings and errors, on stderr. */
  readonly log?: ServerLog;
  /** An existing database, which whoever made it drops. */
  readonly databaseUrl?: string;
}

export interface ApiServer {
  readonly url: string;
  readonly databaseUrl: string;
  readonly running: RunningServer;
  /** For looking at the tables, never for acting on them. */
  readonly sql: postgres.Sql;
  readonly ann: Api;
  readonly operator: Api;
  readonly worker: Worker;
  as(caller: Caller | Bearer | null): Api;
  /** How many jobs, attempts and events there are. */
  countRows(): Promise<{ readonly jobs: number; readonly attempts: number; readonly events: number }>;
  /** Every row of a job, with the transactions that wrote them. */
  rowsOf(jobId: string): Promise<string[]>;
  stop(): Promise<void>;
}

export async function startApiServer({
  config = apiConfig,
  runtime,
  store,
  log,
  databaseUrl,
}: ApiServerOptions = {}): Promise<ApiServer> {
  const database = databaseUrl === undefined ? await createMigratedDatabase() : null;
  const address = databaseUrl ?? database?.url ?? "";
  const options = { config, port: 0, databaseUrl: address, runtime: { sweepMs: 50, ...runtime } };
  const running = await startServer({ ...options, ...(log && { log }), ...(store && { store }) });
  const sql = postgres(address, { max: 2, onnotice: () => {} });
  const as = (caller: Caller | Bearer | null) => connectApi(running.url, caller);
  return {
    url: running.url,
    databaseUrl: address,
    running,
    sql,
    ann: as("ann"),
    operator: as("operator"),
    worker: startWorker(running.url),
    as,
    async countRows() {
      const [row] = await sql<{ jobs: number; attempts: number; events: number }[]>`
        select (select count(*)::int from jobs) as jobs, (select count(*)::int from attempts) as attempts,
          (select count(*)::int from job_events) as events`;
      return { jobs: row?.jobs ?? -1, attempts: row?.attempts ?? -1, events: row?.events ?? -1 };
    },
    rowsOf: (jobId) => readRows(sql, decodeId("job", jobId) ?? ""),
    async stop() {
      await running.stop();
      await sql.end();
      await database?.drop();
    },
  };
}
