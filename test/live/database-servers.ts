/** Several servers on one database, of which some listen by way of a wire: what the tests of the database's faults stand on. */
import type { OnejobConfig } from "onejob";
import postgres from "postgres";
import { expect } from "vitest";
import type { JobView } from "../support/api-answers.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { type CapturedLog, captureLog } from "../support/capture-log.ts";
import { createMigratedDatabase } from "../support/test-database.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Longer than any test: what is seen was not seen by a poll. */
const never = 3_600_000;

/** For a test on a machine that has much else to do. */
export const patienceMs = 90_000;

export interface ServerOptions {
  readonly listenUrl?: string;
  readonly feedPollMs?: number;
  readonly heartbeatMs?: number;
  readonly config?: OnejobConfig;
}

export interface Fleet {
  readonly url: string;
  /** Outside of all servers. */
  readonly sql: postgres.Sql;
  /** It is not polled for by default, so that only what it hears wakes it. */
  start(options?: ServerOptions): Promise<ApiServer & { readonly said: CapturedLog }>;
  /** The database's processes that listen for a server, in no order. */
  listeners(): Promise<number[]>;
  /** Stops every server; throws where one has left a connection. */
  stop(): Promise<void>;
}

export async function openFleet(databaseUrl?: string): Promise<Fleet> {
  const database = databaseUrl === undefined ? await createMigratedDatabase() : null;
  const url = databaseUrl ?? database?.url ?? "";
  const sql = postgres(url, { max: 4, onnotice: () => {}, connection: { application_name: "test" } });
  const servers: ApiServer[] = [];
  const sessions = async (name: string) => {
    const rows = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and application_name like ${name}`;
    return rows.map((row) => row.pid);
  };
  return {
    url,
    sql,
    async start({ listenUrl, feedPollMs = never, heartbeatMs, config } = {}) {
      const said = captureLog();
      const server = await startApiServer({
        databaseUrl: url,
        log: said.log,
        runtime: { feedPollMs },
        store: { ...(listenUrl && { listenUrl }), ...(heartbeatMs && { heartbeatMs }) },
        ...(config && { config }),
      });
      servers.push(server);
      return { ...server, said };
    },
    listeners: () => sessions("onejob listen%"),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
      await waitUntil("no server has left a connection", async () => (await sessions("onejob%")).length === 0);
      await sql.end({ timeout: 5 });
      await database?.drop();
    },
  };
}

/** New jobs, each carried out to its end but for every third, which waits on. */
export async function makeHistory(server: ApiServer, count: number): Promise<JobView[]> {
  const made = await Promise.all(Array.from({ length: count }, () => newJob(server)));
  for (const job of made.filter((_, index) => index % 3 !== 0)) {
    const held = await server.worker.take(job.id);
    await held.running();
    const { __typename } = await held.complete({ pages: 1 });
    expect(__typename).toBe("CompleteAttemptSuccess");
  }
  return made;
}
