// Starts a real PostgreSQL server of our own, with its data in a folder, for a start without DATABASE_URL. The only file
// of this folder that others import. Not a supervisor: a server that dies is reported, and repaired at the next start.

import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { createDatabase } from "../../store/create-database.ts";
import { claimFolder } from "./claim-folder.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { explainException } from "./explain-failure.ts";
import { initialiseCluster, readPassword, removeDrafts, superuser } from "./initialise-cluster.ts";
import { locateBinaries } from "./locate-binaries.ts";
import { placeCluster } from "./place-cluster.ts";
import { type RunningServer, runServer } from "./run-server.ts";
import { stopLeftovers } from "./stop-leftovers.ts";

export { EmbeddedPostgresError, type EmbeddedPostgresFault } from "./embedded-postgres-error.ts";

export type EmbeddedPostgresOptions = {
  /** Made when it does not exist. The data are in `postgres` in it, the server's log in `postgres.log`. */
  dataDir: string;
  /** The platform package with PostgreSQL's programs; by default the one installed with `embedded-postgres`. */
  packageDir?: string | undefined;
  /** Takes what was repaired or decided and is worth a line in the log. */
  log?: ((line: string) => void) | undefined;
  /** Takes the steps that a person has to wait for. */
  onProgress?: ((step: string) => void) | undefined;
};

export type EmbeddedPostgres = {
  /** `postgres://…` of the database "onejob", with its password. */
  url: string;
  /** As given, absolute. */
  dataDir: string;
  /** On 127.0.0.1 only, and another one at each start. */
  port: number;
  /** Shuts the server down in order and resolves when it has ended. May be called again. */
  stop(): Promise<void>;
};

const database = "onejob";

/**
 * Resolves when the database "onejob" takes connections. The data folder belongs to one process at a time; what a killed
 * predecessor left is stopped, repaired or redone. The server also ends when this process exits.
 * Every failure is an EmbeddedPostgresError, whose message is one line to show as it is.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  try {
    makeDataDir(dataDir);
    const claim = claimFolder(dataDir);
    try {
      const { server, url } = await startOwned(dataDir, options);
      let stopping: Promise<void> | undefined;
      const stop = () => (stopping ??= server.stop().finally(claim.release));
      return { url, dataDir, port: server.port, stop };
    } catch (error) {
      claim.release();
      throw error;
    }
  } catch (error) {
    throw explainException(error, dataDir);
  }
}

/** For the owner of the folder only. */
async function startOwned(dataDir: string, options: EmbeddedPostgresOptions) {
  const { packageDir, log = () => {}, onProgress = () => {} } = options;
  const place = placeCluster(dataDir, log);
  const binaries = await locateBinaries({ packageDir, dataDir, account: place.account, onProgress });
  removeDrafts(place.home);
  if (place.majorVersion === undefined) {
    onProgress("Creating the database files");
    await initialiseCluster(place, binaries);
  } else if (place.majorVersion !== binaries.majorVersion) {
    const text = `The database in ${place.cluster} was written by PostgreSQL ${place.majorVersion}, and this is PostgreSQL ${binaries.majorVersion}: dump and restore it, choose another data folder, or set DATABASE_URL.`;
    throw new EmbeddedPostgresError("OTHER_VERSION", text);
  }
  await stopLeftovers(place.cluster, log);
  onProgress("Starting PostgreSQL");
  const server = await runServer(place, binaries, dataDir, log);
  return { server, url: await openDatabase(server, place.cluster) };
}

async function openDatabase(server: RunningServer, cluster: string): Promise<string> {
  try {
    const base = `postgres://${superuser}:${readPassword(cluster)}@127.0.0.1:${server.port}`;
    await createDatabase(`${base}/postgres`, database);
    return `${base}/${database}`;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function makeDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // PostgreSQL as another user must pass through it. What we put there is closed file by file.
  if (process.getuid?.() === 0 && readdirSync(dataDir).length === 0) chmodSync(dataDir, 0o711);
}
