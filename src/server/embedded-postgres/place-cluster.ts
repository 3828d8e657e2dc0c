// Decides where the database's files lie and as which user PostgreSQL runs on them. Creates the place, not the files.

import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Account, canReach, chooseAccount } from "./choose-account.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { openShelter } from "./open-shelter.ts";

export type Place = {
  /** The folder that holds `cluster`, and drafts of it. */
  home: string;
  /** PostgreSQL's data folder. */
  cluster: string;
  /** The major version of the files that are there; undefined while there are none. */
  majorVersion: string | undefined;
  /** Whom PostgreSQL runs as; undefined for the user of this process. */
  account: Account | undefined;
};

/** What the server's processes call themselves, so that they can be told from those of another cluster. */
export function clusterName(cluster: string): string {
  return `onejob-${createHash("sha256").update(cluster).digest("hex").slice(0, 16)}`;
}

/** The name of the file that says where the data are when they cannot be in the data folder itself. */
const locationFile = "postgres-location";

/** Finds the data of an earlier start, or a place for new ones. Throws UNWRITABLE, NO_ACCOUNT or INCOMPLETE. */
export function placeCluster(dataDir: string, log: (line: string) => void): Place {
  const recorded = readLocation(dataDir);
  const known = recorded ?? dataDir;
  const majorVersion = readMajorVersion(join(known, "postgres"));
  if (majorVersion !== undefined) {
    const cluster = join(known, "postgres");
    const account = chooseAccount(cluster, statSync(cluster));
    if (canReach(account, cluster)) return { home: known, cluster, majorVersion, account };
    const text = `The database in ${cluster} belongs to user id ${account?.uid}, who may not pass all of its parent folders: open them to others (chmod o+x), or choose another data folder.`;
    throw new EmbeddedPostgresError("UNWRITABLE", text);
  }
  const account = chooseAccount(dataDir, undefined);
  const home = recorded ?? chooseHome(dataDir, account, log);
  return { home, cluster: join(home, "postgres"), majorVersion, account };
}

function chooseHome(dataDir: string, account: Account | undefined, log: (line: string) => void): string {
  if (account === undefined || canReach(account, dataDir)) return dataDir;
  const home = mkdtempSync(join(openShelter(account), "data-"));
  chmodSync(home, 0o711);
  const draft = join(dataDir, `${locationFile}.new`);
  writeFileSync(draft, `${home}\n`, { mode: 0o600, flush: true });
  renameSync(draft, join(dataDir, locationFile));
  log(`${dataDir} is closed to the user PostgreSQL runs as: the data are in ${home}`);
  return home;
}

function readLocation(dataDir: string): string | undefined {
  const file = join(dataDir, locationFile);
  if (!existsSync(file)) return undefined;
  const home = readFileSync(file, "utf8").trim();
  if (home !== "" && existsSync(home)) return home;
  const text = `${file} says that the data are in ${home || "nowhere"}, which does not exist: bring it back, or delete this file to begin with an empty database.`;
  throw new EmbeddedPostgresError("INCOMPLETE", text);
}

function readMajorVersion(cluster: string): string | undefined {
  if (!existsSync(cluster)) return undefined;
  const file = join(cluster, "PG_VERSION");
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  if (readdirSync(cluster).length > 0) {
    // Not ours to delete: our own initdb moves its files here only when they are complete.
    const text = `${cluster} holds something, but no PostgreSQL data: move it away, or choose another data folder.`;
    throw new EmbeddedPostgresError("INCOMPLETE", text);
  }
  rmdirSync(cluster);
  return undefined;
}
