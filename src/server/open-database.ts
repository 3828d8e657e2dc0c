/** Opens the store on the database that the configuration names, or on an embedded one. It says in one line why it could not. */
import { openStore, type StoreOptions } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import type { LiveSettings } from "./config/read-live.ts";
import { EmbeddedPostgresError, startEmbeddedPostgres } from "./embedded-postgres/start-embedded-postgres.ts";
import { explainDatabaseFault } from "./explain-database-fault.ts";
import type { ServerLog } from "./log.ts";
import { probePostgres } from "./probe-postgres.ts";
import { StartupFault } from "./startup-fault.ts";

export interface OpenDatabase {
  readonly store: Store;
  /** Ends the database if it is the embedded one. */
  stop(): Promise<void>;
}

/** What tests choose otherwise than users may. */
export type StoreTuning = Pick<StoreOptions, "listenUrl" | "heartbeatMs">;

export interface DatabaseOptions {
  /** Null for an embedded one. */
  readonly databaseUrl: string | null;
  /** Past the pooler, where `databaseUrl` leads through one; null where it does not. */
  readonly directDatabaseUrl: string | null;
  readonly dataDir: string;
  readonly live: Pick<LiveSettings, "redisUrl">;
  readonly log: ServerLog;
  readonly tuning?: StoreTuning;
}

interface Home {
  readonly url: string;
  stop(): Promise<void>;
}

async function startEmbedded(dataDir: string, log: ServerLog): Promise<Home> {
  try {
    return await startEmbeddedPostgres({
      dataDir,
      log: (message) => log.warn("embedded-postgres", { message }),
      onProgress: (message) => log.info("database-starting", { message }),
    });
  } catch (error) {
    throw error instanceof EmbeddedPostgresError ? new StartupFault([error.message], error) : error;
  }
}

/** By name, since the class may have been loaded twice. */
function isOfDoorbell(error: unknown): boolean {
  return error instanceof Error && error.name === "DoorbellError";
}

/** Throws a StartupFault for every fault that whoever operates the database can mend. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const { databaseUrl, directDatabaseUrl, dataDir, live, log, tuning } = options;
  const home = databaseUrl === null ? await startEmbedded(dataDir, log) : { url: databaseUrl, stop: async () => {} };
  try {
    await probePostgres(home.url);
    if (directDatabaseUrl !== null) await probePostgres(directDatabaseUrl);
    const store = await openStore({
      ...tuning,
      url: home.url,
      ...(directDatabaseUrl === null ? {} : { directUrl: directDatabaseUrl }),
      ...(live.redisUrl === null ? {} : { redisUrl: live.redisUrl }),
      onError: (error) => log.warn(isOfDoorbell(error) ? "doorbell-fault" : "database-connection-lost", { error }),
    });
    return { store, stop: () => home.stop() };
  } catch (error) {
    await home.stop();
    throw explainDatabaseFault(error, home.url);
  }
}
