// Turns what Node or PostgreSQL reported into one line that a person can act on. Not a retry policy.

import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

const noRoom = /no space left on device|disk quota exceeded|file too large|file size limit exceeded/i;
const noAccess = /Permission denied|Operation not permitted|Read-only file system/;
const noRoomCodes = ["ENOSPC", "EDQUOT", "EFBIG"];
const noAccessCodes = ["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"];
const elsewhere = "choose another data folder, or set DATABASE_URL";

/** Explains an exception of Node's file system or process calls made while working on `folder`. */
export function explainException(error: unknown, folder: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const { code = "", message } = error as NodeJS.ErrnoException; // or an answer of the database
  if (noRoomCodes.includes(code) || noRoom.test(message)) {
    return new EmbeddedPostgresError("DISK_FULL", diskFull(folder, message), error);
  }
  if (noAccessCodes.includes(code)) {
    const text = `The data folder ${folder} cannot be written (${message}): correct its owner or mode, ${elsewhere}.`;
    return new EmbeddedPostgresError("UNWRITABLE", text, error);
  }
  const text = `The embedded PostgreSQL in ${folder} could not be started: ${message}`;
  return new EmbeddedPostgresError("FAILED", text, error);
}

/**
 * Explains the output of a PostgreSQL program that failed while working on `folder`.
 * Its last lines are quoted only when the cause is not recognised.
 */
export function explainOutput(program: string, output: string, folder: string): EmbeddedPostgresError {
  const lines = output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const lineAbout = (cause: RegExp) => lines.find((line) => cause.test(line));

  const full = lineAbout(noRoom);
  if (full !== undefined) return new EmbeddedPostgresError("DISK_FULL", diskFull(folder, full));

  if (lineAbout(/could not look up effective user ID/) !== undefined) {
    const text = `PostgreSQL needs an entry in /etc/passwd for user id ${process.getuid?.()}: add one, or set DATABASE_URL.`;
    return new EmbeddedPostgresError("NO_ACCOUNT", text);
  }
  if (lineAbout(/pre-existing shared memory block|lock file ".*" already exists/) !== undefined) {
    const text = `The data folder ${folder} is in use by another PostgreSQL: stop it, ${elsewhere}.`;
    return new EmbeddedPostgresError("IN_USE", text);
  }
  const denied = lineAbout(noAccess);
  if (denied !== undefined) {
    const text = `PostgreSQL cannot use the data folder ${folder} (${denied}): correct its owner or mode, ${elsewhere}.`;
    return new EmbeddedPostgresError("UNWRITABLE", text);
  }
  const last = lines.slice(-5).join(" | ") || "it said nothing";
  return new EmbeddedPostgresError("FAILED", `PostgreSQL (${program}) failed on the data folder ${folder}: ${last}`);
}

function diskFull(folder: string, evidence: string): string {
  return `No room to write under the data folder ${folder} (${evidence}): free some space, ${elsewhere}.`;
}
