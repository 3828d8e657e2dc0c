// What the tests of the embedded server share: folders, a look into the database, and starts in processes of their own.
// Contains no tests.

import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { afterAll } from "vitest";
import { type Account, canReach, chooseAccount } from "../../../src/server/embedded-postgres/choose-account.ts";
import { findStartTime } from "../../../src/server/embedded-postgres/identify-process.ts";

export const isRoot = process.getuid?.() === 0;
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A user other than root: for root an unprivileged one, otherwise whoever runs the tests. */
export const ordinary: Account | undefined = isRoot ? { uid: 65_534, gid: 65_534 } : undefined;

const folders: string[] = [];
export function removeAfterwards(folder: string): void {
  folders.push(folder);
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A folder that goes with the test file, passable to everybody, owned by `owner`. */
export function makeFolder(owner?: Account, mode = 0o711): string {
  const folder = mkdtempSync(join(tmpdir(), "onejob-embedded-"));
  chmodSync(folder, mode);
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  removeAfterwards(folder);
  return folder;
}

/** The installed platform package. */
function findPackage(): string {
  const fromEmbedded = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  return join(dirname(fromEmbedded.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "..");
}

/** The platform package, or a copy of it when the ordinary user cannot reach the installed one. */
export function findReachablePackage(): string {
  const installed = findPackage();
  if (canReach(ordinary, installed)) return installed;
  const copy = join(makeFolder(), "package");
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** Runs one query on a connection of its own. */
export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await sql.unsafe(text);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The process id of the server that runs, or ran, on these files. */
export function readServerPid(cluster: string): number {
  return Number.parseInt(readFileSync(join(cluster, "postmaster.pid"), "utf8"), 10);
}

export function isRunning(pid: number): boolean {
  return findStartTime(pid) !== undefined;
}

/** As whom PostgreSQL runs on new data here. */
export function serverAccount(): Account {
  return chooseAccount("", undefined) ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

export type Report = {
  step?: string;
  log?: string;
  url?: string;
  fault?: string;
  message?: string;
  interrupted?: boolean;
};
export type ChildStart = {
  process: ChildProcess;
  pid: number;
  /** The first report that satisfies the condition; rejects when the process ends without one. */
  until(isWanted: (report: Report) => boolean): Promise<Report>;
  ended: Promise<void>;
};

type ChildOptions = { dataDir: string; packageDir?: string; user?: Account | undefined; limitFileBlocks?: number };

/** Starts the embedded server in another process, which ends it on "stop", and exits without a word on "exit". */
export function startInChild({ limitFileBlocks, ...options }: ChildOptions): ChildStart {
  const script = fileURLToPath(new URL("start-in-child.ts", import.meta.url));
  const command = [process.execPath, "--import", "tsx", script, JSON.stringify(options)];
  // A shell is the only way to set a limit on one process.
  const shell = ["sh", "-c", `ulimit -f ${limitFileBlocks}; exec "$@"`, "sh", ...command];
  const [program = "", ...args] = limitFileBlocks === undefined ? command : shell;
  const child = spawn(program, args, { cwd: root, detached: true, stdio: ["pipe", "pipe", "inherit"] });

  const reports: Report[] = [];
  const waiting = new Set<() => void>();
  let hasEnded = false;
  const wakeAll = () => waiting.forEach((wake) => wake());
  createInterface({ input: child.stdout }).on("line", (line) => {
    reports.push(JSON.parse(line) as Report);
    wakeAll();
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  void ended.then(() => {
    hasEnded = true;
    wakeAll();
  });
  const until = (isWanted: (report: Report) => boolean) =>
    new Promise<Report>((resolve, reject) => {
      const look = () => {
        const found = reports.find(isWanted);
        if (found === undefined && !hasEnded) return;
        waiting.delete(look);
        if (found !== undefined) resolve(found);
        else reject(new Error(`The start ended with ${JSON.stringify(reports)}`));
      };
      waiting.add(look);
      look();
    });
  return { process: child, pid: child.pid ?? 0, until, ended };
}

/** A platform package in `folder` that tests may change; its version is its own, and so is a copy made of it. */
export function copyPackage(folder: string): string {
  const copy = join(folder, "package");
  mkdirSync(copy);
  for (const part of ["native", "package.json"]) {
    cpSync(join(findPackage(), part), join(copy, part), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith(".a"),
    });
  }
  return copy;
}
