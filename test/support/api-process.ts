/** A server in a process of its own, started as users start it: by the program, with a configuration file. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const configFile = fileURLToPath(new URL("api-config-file.ts", import.meta.url));
/** A start costs seconds of computing, which a busy machine stretches. */
const startMs = 50_000;

export interface ApiProcess {
  readonly url: string;
  /** Ends it at once, as a crash or a lost machine does. */
  kill(): Promise<void>;
  /** Asks it to stop, and answers with its exit code. */
  stop(): Promise<number | null>;
}

export async function startApiProcess(
  databaseUrl: string,
  environment: Readonly<Record<string, string>> = {},
  nodeFlags: readonly string[] = [],
): Promise<ApiProcess> {
  const flags = [
    "--conditions=onejob-source",
    "--import",
    "tsx",
    ...nodeFlags,
    program,
    "serve",
    "--config",
    configFile,
    "--port",
    "0",
  ];
  const child = spawn(process.execPath, flags, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...environment, DATABASE_URL: databaseUrl, ONEJOB_LOG_FORMAT: "json", NODE_OPTIONS: "" },
  });
  const exited = once(child, "exit");
  // A test that fails half-way, or a run that is cut off, leaves no server behind.
  const leaveNone = () => void child.kill("SIGKILL");
  process.once("exit", leaveNone);
  child.once("exit", () => process.off("exit", leaveNone));
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode;
  };
  const said: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The server ${why}. It said:\n${said.join("\n")}`));
    const late = setTimeout(() => fail(`was not ready within ${startMs} ms`), startMs);
    child.once("exit", () => fail("ended before it was ready"));
    createInterface({ input: child.stderr }).on("line", (line) => {
      said.push(line);
      if (!line.includes('"event":"ready"')) return;
      clearTimeout(late);
      resolve((JSON.parse(line) as { url: string }).url.replace(/\/graphql$/, ""));
    });
  }).catch(async (error: unknown) => {
    await end("SIGKILL");
    throw error;
  });
  return {
    url,
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
  };
}

/** Several at once on one database; if one does not come up, none is left. */
export async function startApiProcesses(databaseUrl: string, count: number): Promise<ApiProcess[]> {
  const starts = await Promise.allSettled(Array.from({ length: count }, () => startApiProcess(databaseUrl)));
  const processes = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  const failure = starts.find((start) => start.status === "rejected");
  if (failure === undefined) return processes;
  await Promise.all(processes.map((process) => process.kill()));
  throw failure.reason;
}
