// Writes the server's log into a file that cannot fill the disk. Not the log of Onejob itself.

import { appendFileSync, renameSync, statSync } from "node:fs";

const maxBytes = 2 * 1024 * 1024;

/** Appends to `file`; when that has 2 MiB it becomes `<file>.1`, replacing the former one. Never throws. */
export function openBoundedLog(file: string): (chunk: Buffer) => void {
  let sizeBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return (chunk) => {
    try {
      if (sizeBytes > maxBytes) {
        renameSync(file, `${file}.1`);
        sizeBytes = 0;
      }
      appendFileSync(file, chunk, { mode: 0o600 });
      sizeBytes += chunk.length;
    } catch {
      // A log that cannot be written, on a full disk say, must not take the server with it.
    }
  };
}
