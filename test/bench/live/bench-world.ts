/** What every part of bench:live stands on: a database that stamps commits, a store that writes to it, and processes for server and clients. */
import postgres from "postgres";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { openBenchDatabase } from "../open-bench-database.ts";
import type { FencedJob } from "./bench-jobs.ts";
import { createFencedJobs } from "./bench-jobs.ts";
import { type Child, startChild } from "./child.ts";
import type { ClientAnswers } from "./client-process.ts";
import type { ServerAnswers } from "./server-process.ts";

export interface Stage {
  readonly url: string;
  readonly server: Child<ServerAnswers>;
  readonly clients: Child<ClientAnswers>;
  close(): Promise<void>;
}

export interface World {
  readonly databaseUrl: string;
  readonly sql: postgres.Sql;
  /** Of this process, which is the server's peer on the same database. */
  readonly store: Store;
  readonly jobs: readonly FencedJob[];
  /** A fresh server and fresh clients, so that what one round has left behind is not the next one's. */
  openStage(): Promise<Stage>;
  close(): Promise<void>;
}

export async function openWorld(fencedJobs: number): Promise<World> {
  const database = await openBenchDatabase({ track_commit_timestamp: "on" });
  const store = await openStore({ url: database.url });
  const sql = postgres(database.url, { max: 2, onnotice: () => {} });
  const jobs = await createFencedJobs(store, fencedJobs);
  // Otherwise the tables of a moment ago are looked through by plans for empty ones.
  await sql`vacuum analyze`;
  return {
    databaseUrl: database.url,
    sql,
    store,
    jobs,
    async openStage() {
      const server = startChild<ServerAnswers>("server-process.ts", database.url, ["--expose-gc"]);
      const clients = startChild<ClientAnswers>("client-process.ts", "", []);
      const url = await server.ask("url", null);
      return { url, server, clients, close: async () => void (await Promise.all([server.stop(), clients.stop()])) };
    },
    async close() {
      await sql.end();
      await store.close();
      await database.close();
    },
  };
}

/** The work, with a profile of the server's written beside it if a path is given. */
export async function profiled<Result>(
  stage: Stage,
  path: string | null,
  work: () => Promise<Result>,
): Promise<Result> {
  if (path === null) return work();
  await stage.server.ask("startProfile", null);
  const result = await work();
  await stage.server.ask("writeProfile", path);
  return result;
}
