// Creates PostgreSQL's files with initdb, complete or not at all. Does not start the server.

import { randomBytes } from "node:crypto";
import {
  chownSync,
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { explainOutput } from "./explain-failure.ts";
import type { Binaries } from "./locate-binaries.ts";
import type { Place } from "./place-cluster.ts";
import { runProgram } from "./run-program.ts";

/** The superuser, which has the same name as the database. */
export const superuser = "onejob";

const draftPrefix = "postgres.new-";
const passwordFile = "onejob-password";

/** The password goes with the files it belongs to, where only PostgreSQL's own user (and root) can read it. */
export function readPassword(cluster: string): string {
  try {
    return readFileSync(join(cluster, passwordFile), "utf8").trim();
  } catch (error) {
    const text = `${join(cluster, passwordFile)} cannot be read: bring it back, or choose another data folder.`;
    throw new EmbeddedPostgresError("INCOMPLETE", text, error);
  }
}

/** Removes what an initialisation left that was broken off. */
export function removeDrafts(home: string): void {
  for (const name of readdirSync(home).filter((entry) => entry.startsWith(draftPrefix))) {
    // An initdb that outlived its parent may still write there: it fails, and we ask again.
    rmSync(join(home, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/** Throws what explainOutput makes of initdb's complaints, or Node's own errors. */
export async function initialiseCluster({ home, cluster, account }: Place, binaries: Binaries): Promise<void> {
  const draft = mkdtempSync(join(home, draftPrefix));
  try {
    const [data, password] = [join(draft, "data"), join(draft, "password")];
    writeFileSync(password, randomBytes(24).toString("hex"), { mode: 0o600, flush: true });
    if (account !== undefined) for (const path of [draft, password]) chownSync(path, account.uid, account.gid);

    const args = ["-D", data, `--username=${superuser}`, `--pwfile=${password}`, "--auth=scram-sha-256"];
    // One collation everywhere, whatever the machine's locale and C library.
    const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
    const { code, output } = await runProgram(binaries.initdb, [...args, ...locale, "--data-checksums"], account);
    if (code !== 0) throw explainOutput("initdb", output, home);

    renameSync(password, join(data, passwordFile));
    syncFolder(data);
    renameSync(data, cluster);
    syncFolder(home);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Makes the renames in a folder survive a power cut. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  fsyncSync(handle);
  closeSync(handle);
}
