// Ends the server that a killed predecessor left running, and frees its pid file. Only for the owner of the folder.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { findProcesses, findStartTime, isStillRunning, readCommandLine } from "./identify-process.ts";
import { clusterName } from "./place-cluster.ts";
import { waitUntil } from "./wait-until.ts";

/** An id that no system gives to a process. */
const nobodysPid = 0x3fffffff;

/** Throws IN_USE when what is left survives even SIGKILL. */
export async function stopLeftovers(cluster: string, log: (line: string) => void): Promise<void> {
  const left = readPidFile(cluster);
  if (left === undefined) return;
  const startTime = findStartTime(left.pid);
  if (startTime !== undefined && isServerOf(left.pid, left.folder)) {
    log(`Stopping PostgreSQL, which a killed predecessor left running (process ${left.pid})`);
    await stopProcess(left.pid, startTime, cluster);
  }
  await killSessions(cluster, log);
  disownPidFile(cluster);
}

/** A session that is busy does not notice that its server was killed, and keeps the files in use until it does. */
async function killSessions(cluster: string, log: (line: string) => void): Promise<void> {
  const pids = findProcesses(`postgres: ${clusterName(cluster)}: `);
  if (pids.length === 0) return;
  log(`Ending sessions that outlived their PostgreSQL (processes ${pids.join(", ")})`);
  for (const pid of pids) if (findStartTime(pid) !== undefined) process.kill(pid, "SIGKILL");
  await waitUntil(() => pids.every((pid) => findStartTime(pid) === undefined), 5_000);
}

async function stopProcess(pid: number, startTime: string, cluster: string): Promise<void> {
  const isGone = () => !isStillRunning(pid, startTime);
  // Fast shutdown, immediate shutdown, and for a server that is stopped or hangs, no shutdown at all.
  for (const [signal, timeoutMs] of [
    ["SIGINT", 30_000],
    ["SIGQUIT", 10_000],
    ["SIGKILL", 5_000],
  ] as const) {
    if (!isGone()) process.kill(pid, signal);
    if (await waitUntil(isGone, timeoutMs)) return;
  }
  const text = `The data folder ${cluster} is in use by PostgreSQL process ${pid}, which cannot be stopped: choose another data folder, or set DATABASE_URL.`;
  throw new EmbeddedPostgresError("IN_USE", text);
}

/**
 * PostgreSQL refuses to start while the pid file names any process of its user, and then a zombie or a stranger with a
 * reused id would lock us out. Deleting the file would also delete its record of shared memory, by which PostgreSQL sees
 * sessions that outlived their server: so only the id is made void.
 */
function disownPidFile(cluster: string): void {
  const left = readPidFile(cluster);
  if (left === undefined) return;
  const file = join(cluster, "postmaster.pid");
  const isCutOff = left.folder === ""; // by a crash or a full disk; PostgreSQL refuses to read it
  if (isCutOff) rmSync(file);
  else writeFileSync(file, [nobodysPid, ...left.rest].join("\n"));
}

/** The first line is the process id, the second the data folder as the server knew it. */
function readPidFile(cluster: string): { pid: number; folder: string; rest: string[] } | undefined {
  try {
    const [pid = "", ...rest] = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number.parseInt(pid, 10) || nobodysPid, folder: rest[0] ?? "", rest };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isServerOf(pid: number, folder: string): boolean {
  const command = readCommandLine(pid);
  return command.includes("postgres") && command.includes(` -D ${folder} `);
}
