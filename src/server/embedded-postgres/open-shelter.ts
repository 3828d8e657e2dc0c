// Finds a folder that an unprivileged account can reach when the data folder of a process of root is closed to it.
// Not used by ordinary users, whose PostgreSQL reaches what they reach.

import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, canReach } from "./choose-account.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/**
 * The shelter's path; it holds copies of the binaries by version, and data folders. Throws UNWRITABLE.
 * /var/lib outlives restarts and is cleaned by nobody; the others are for machines where it is read-only.
 */
export function openShelter(account: Account): string {
  const candidates = ["/var/lib", "/var/tmp", tmpdir()].map((parent) => join(parent, "onejob"));
  const found = candidates.find((folder) => makeOwnFolder(folder) && canReach(account, folder));
  if (found !== undefined) return found;
  const text = `PostgreSQL (as user id ${account.uid}, since it refuses root) can reach neither the data folder nor ${candidates.join(", ")}: choose another data folder, or set DATABASE_URL.`;
  throw new EmbeddedPostgresError("UNWRITABLE", text);
}

/** In a folder where everybody may write, the name may have been taken by somebody else, or lead elsewhere. */
function makeOwnFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    chmodSync(folder, 0o711); // not through mkdir's mode, which a umask narrows
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return false;
  }
  const stat = lstatSync(folder);
  return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0;
}
