// Decides as which user PostgreSQL runs, and what that user can reach. Creates no users.

import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/** A user to run as instead of root. Where it is absent, PostgreSQL runs as the user of this process. */
export type Account = { uid: number; gid: number };

/**
 * The account for data that belong to `owner`, or for new data when absent. Throws NO_ACCOUNT or UNWRITABLE.
 *
 * PostgreSQL refuses root, and initdb a user without an entry in /etc/passwd. `nobody` is everywhere, `postgres` better
 * where it exists; existing data keep their owner, since PostgreSQL insists on it.
 */
export function chooseAccount(folder: string, owner: Account | undefined): Account | undefined {
  const uid = process.getuid?.();
  if (uid !== 0) {
    if (owner !== undefined && owner.uid !== uid) throw foreign(folder, owner.uid, `user id ${uid}`);
    return undefined;
  }
  if (owner !== undefined) {
    if (owner.uid === 0) throw foreign(folder, 0, "PostgreSQL, which refuses to run as root");
    return { uid: owner.uid, gid: owner.gid };
  }
  const accounts = readAccounts();
  const account = accounts.get("postgres") ?? accounts.get("nobody") ?? [...accounts.values()][0];
  if (account !== undefined) return account;
  const text = "PostgreSQL refuses to run as root, and /etc/passwd names no other user: add one, or set DATABASE_URL.";
  throw new EmbeddedPostgresError("NO_ACCOUNT", text);
}

/** Whether the mode of the folder and of all its parents lets the account pass. Always true without an account. */
export function canReach(account: Account | undefined, folder: string): boolean {
  if (account === undefined) return true;
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    const { uid, gid, mode } = statSync(path);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

function readAccounts(): Map<string, Account> {
  const accounts = new Map<string, Account>();
  for (const line of readFileSync("/etc/passwd", "utf8").split("\n")) {
    const [name, , uid, gid] = line.split(":");
    // Some systems write nobody as -2: ids are unsigned 32-bit numbers.
    const account = { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
    if (name && gid !== undefined && account.uid !== 0) accounts.set(name, account);
  }
  return accounts;
}

function foreign(folder: string, ownerUid: number, user: string): EmbeddedPostgresError {
  const text = `The database in ${folder} belongs to user id ${ownerUid}, not to ${user}: correct its owner, choose another data folder, or set DATABASE_URL.`;
  return new EmbeddedPostgresError("UNWRITABLE", text);
}
