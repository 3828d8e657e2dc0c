// Makes this process the one owner of a data folder until it releases it or dies. Not PostgreSQL's own lock, which
// comes too late: two initdb's at once, or a repair of a running server, must be ruled out before it.

import { randomUUID } from "node:crypto";
import { existsSync, linkSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { findStartTime, isStillRunning } from "./identify-process.ts";

export type Claim = { release: () => void };

/**
 * Claims the folder, or throws IN_USE with the owner's process id.
 *
 * Each owner holds a file `owner.<n>` with its process id and start time. The highest n is the owner, n only grows, and
 * the highest file is never deleted: so a file of a dead owner is succeeded, never removed, and two processes that both
 * find it dead cannot remove each other's.
 */
export function claimFolder(folder: string): Claim {
  const draft = join(folder, `claim-${process.pid}-${randomUUID()}`);
  writeFileSync(draft, `${process.pid} ${findStartTime(process.pid)}`, { mode: 0o600 });
  try {
    for (;;) {
      const highest = listGenerations(folder).at(-1) ?? 0;
      refuseLivingOwner(folder, highest);
      const mine = highest + 1;
      if (!succeed(draft, fileOf(folder, mine))) continue;
      if (listGenerations(folder).at(-1) !== mine) {
        // We had looked long ago: others have come and gone since, and removed the file that would have stopped us.
        rmSync(fileOf(folder, mine));
        continue;
      }
      for (const old of listGenerations(folder).filter((n) => n < mine)) {
        rmSync(fileOf(folder, old), { force: true });
      }
      return { release: () => abandon(fileOf(folder, mine)) };
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Emptied instead of deleted, and so needs no disk space. The whole folder may have been deleted under us. */
function abandon(file: string): void {
  if (existsSync(file)) truncateSync(file);
}

function refuseLivingOwner(folder: string, generation: number): void {
  if (generation === 0) return;
  let owner: string;
  try {
    owner = readFileSync(fileOf(folder, generation), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return; // succeeded meanwhile: the link will fail or be taken back
    throw error;
  }
  const [pid, startTime] = /^(\d+) (.+)$/.exec(owner)?.slice(1) ?? [];
  if (pid === undefined || startTime === undefined || !isStillRunning(Number(pid), startTime)) return;
  const text = `The data folder ${folder} is in use by process ${pid}: stop it, choose another data folder, or set DATABASE_URL.`;
  throw new EmbeddedPostgresError("IN_USE", text);
}

/** A hard link appears with its content, and fails when the name is taken: both in one step. */
function succeed(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function listGenerations(folder: string): number[] {
  return readdirSync(folder)
    .flatMap((name) => /^owner\.(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
}

function fileOf(folder: string, generation: number): string {
  return join(folder, `owner.${generation}`);
}
