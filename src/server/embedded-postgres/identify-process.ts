// Tells one process from another that later got the same id. Not a way to signal or wait for it.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Stands for the start time of a process that lives but does not show it to us. */
const hidden = "hidden";

/**
 * The start time of a living process, in whatever unit the platform gives; undefined when none has this id.
 * A zombie counts as dead: where nobody reaps orphans it would otherwise seem to live for ever.
 */
export function findStartTime(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return undefined;
  }
  return process.platform === "linux" ? readProc(pid) : askPs(pid);
}

/** Whether the process with this id is still the one that had this start time. */
export function isStillRunning(pid: number, startTime: string): boolean {
  const now = findStartTime(pid);
  return now !== undefined && (now === startTime || now === hidden || startTime === hidden);
}

/** The command line of a process as one string; empty when it cannot be read. */
export function readCommandLine(pid: number): string {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return execFileSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    return "";
  }
}

/** The ids of the processes whose command line begins so. Unlike their folders, it is shown without privileges. */
export function findProcesses(commandPrefix: string): number[] {
  const all =
    process.platform === "linux"
      ? readdirSync("/proc")
      : execFileSync("ps", ["-ax", "-o", "pid="]).toString().split("\n");
  return all.map(Number).filter((pid) => pid > 0 && readCommandLine(pid).startsWith(commandPrefix));
}

function readProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in brackets and may hold spaces: count fields after the last one.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, startTime] = [fields[0], fields[19]];
    return state === "Z" || state === "X" ? undefined : startTime;
  } catch {
    return isThere(pid) ? hidden : undefined;
  }
}

function askPs(pid: number): string | undefined {
  try {
    const line = execFileSync("ps", ["-o", "state=,lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
    return line === "" || line.startsWith("Z") ? undefined : line.replace(/^\S+\s+/, "");
  } catch {
    return isThere(pid) ? hidden : undefined;
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
