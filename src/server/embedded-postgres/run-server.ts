// Runs the PostgreSQL server on a complete cluster, from its start until it has ended. Initialises and repairs nothing.

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { explainOutput } from "./explain-failure.ts";
import type { Binaries } from "./locate-binaries.ts";
import { clusterName, type Place } from "./place-cluster.ts";
import { spawnSettings } from "./run-program.ts";
import { waitUntil } from "./wait-until.ts";
import { openBoundedLog } from "./write-bounded-log.ts";

export type RunningServer = { port: number; stop(): Promise<void> };

type Launch = {
  child: ChildProcess;
  ended: Promise<void>;
  isGone: () => boolean;
  /** Whether all output is there; a session that outlives its server may put that off. */
  isSilent: () => boolean;
  lastOutput: () => string;
};

/** Long, since a crashed predecessor's changes may have to be replayed first. */
const readyTimeoutMs = 60_000;
/** How long sessions may take to notice that their server was killed. */
const orphansTimeoutMs = 15_000;

const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 100,
  shared_buffers: "128MB",
  fsync: "on",
  synchronous_commit: "on",
  timezone: "UTC",
  log_timezone: "UTC",
  log_destination: "stderr",
  logging_collector: "off",
  log_checkpoints: "off",
};

/** Resolves when the server takes connections; throws what explainOutput makes of its complaints. */
export async function runServer(
  place: Place,
  binaries: Binaries,
  dataDir: string,
  log: (line: string) => void,
): Promise<RunningServer> {
  const patienceEndsMs = performance.now() + orphansTimeoutMs;
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    const launch = launchServer(place, binaries, port, join(dataDir, "postgres.log"));
    const isReady = () => readPidFile(place.cluster).isReadyAs(launch.child.pid);
    await waitUntil(() => launch.isGone() || isReady(), readyTimeoutMs);
    if (!launch.isGone() && isReady()) return keepServer(launch, port, log);

    await endServer(launch);
    await waitUntil(launch.isSilent, 1_000);
    const output = launch.lastOutput();
    const isPortLost = output.includes("Address already in use") && attempt < 10;
    const isOrphaned = output.includes("pre-existing shared memory block") && performance.now() < patienceEndsMs;
    if (!isPortLost && !isOrphaned) throw explainOutput("postgres", output, dataDir);
    if (isOrphaned) await delay(100);
  }
}

function keepServer(launch: Launch, port: number, log: (line: string) => void): RunningServer {
  let stopping: Promise<void> | undefined;
  void launch.ended.then(() => {
    if (stopping === undefined) log("PostgreSQL has ended by itself: see postgres.log in the data folder");
  });
  return { port, stop: () => (stopping ??= endServer(launch)) };
}

/** Fast shutdown; the harder ways are safe too, but cost a recovery at the next start. */
async function endServer({ child, isGone }: Launch): Promise<void> {
  for (const [signal, timeoutMs] of [
    ["SIGINT", 30_000],
    ["SIGQUIT", 10_000],
    ["SIGKILL", 5_000],
  ] as const) {
    if (!isGone()) child.kill(signal);
    if (await waitUntil(isGone, timeoutMs)) return;
  }
}

function launchServer({ cluster, account }: Place, binaries: Binaries, port: number, logFile: string): Launch {
  const options = Object.entries({ ...settings, cluster_name: clusterName(cluster), port }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const child = spawn(binaries.postgres, ["-D", cluster, ...options], {
    ...spawnSettings(account),
    stdio: ["ignore", "ignore", "pipe"],
  });
  // The server must not keep a process alive that has nothing else to do, and must end with it.
  child.unref();
  (child.stderr as Socket).unref();
  const endWithProcess = () => void child.kill("SIGINT");
  process.once("exit", endWithProcess);

  let lastOutput = "";
  let isGone = false;
  let isSilent = false;
  const writeLog = openBoundedLog(logFile);
  child.stderr.on("data", (chunk: Buffer) => {
    writeLog(chunk);
    lastOutput = (lastOutput + chunk.toString()).slice(-16_384);
  });
  child.once("close", () => (isSilent = true));
  const ended = new Promise<void>((resolve) => {
    const settle = () => {
      isGone = true;
      process.off("exit", endWithProcess);
      resolve();
    };
    child.once("exit", settle);
    child.once("error", (error) => {
      lastOutput += error.message;
      isSilent = true;
      settle();
    });
  });
  return { child, ended, isGone: () => isGone, isSilent: () => isSilent, lastOutput: () => lastOutput };
}

/** Line 1 is the process id, line 8 the state. */
function readPidFile(cluster: string): { isReadyAs(pid: number | undefined): boolean } {
  let lines: string[] = [];
  try {
    lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
  } catch {
    // Not there yet.
  }
  return { isReadyAs: (pid) => lines[0] === String(pid) && lines[7]?.trim() === "ready" };
}

/** Free at this moment: another process may take it before PostgreSQL does. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
