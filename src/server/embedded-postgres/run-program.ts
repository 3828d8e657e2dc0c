// Runs one of PostgreSQL's programs to its end and collects what it says. Not for the server, which stays.

import { spawn } from "node:child_process";
import { inheritEnvironment } from "../config/inherit-environment.ts";
import type { Account } from "./choose-account.ts";

export type ProgramResult = { code: number | null; output: string };

/**
 * What every PostgreSQL process is spawned with: its own process group, so that Ctrl-C in a terminal reaches only us; a
 * folder that it may enter; English messages; and none of our secrets or of the caller's PG* settings.
 */
export function spawnSettings(account: Account | undefined) {
  const kept = inheritEnvironment(["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]);
  const env = { ...kept, LC_ALL: "C", TZ: "UTC" };
  return { ...account, cwd: "/", detached: true, env };
}

/** Standard output and error together, and the exit code; rejects with Node's error when it cannot be spawned. */
export function runProgram(program: string, args: string[], account: Account | undefined): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...spawnSettings(account), stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}
