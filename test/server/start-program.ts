/** Starts the program in a process of its own and reads what it says. It decides nothing about what should be said. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { waitUntil } from "../support/wait-until.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const slowStartMs = 45_000;

export interface Program {
  readonly process: ChildProcess;
  /** All of stderr so far. */
  said(): string;
  /** The address that it serves at, once it does; throws with what it said when it ends before. */
  url(): Promise<string>;
  /** Its exit code, or null when a signal ended it. */
  exit(): Promise<number | null>;
}

/** `environment` is added to a bare one, in which no database is named. */
export function startProgram(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Program {
  const { PATH = "", HOME = "" } = process.env;
  const command = ["--conditions=onejob-source", "--import", "tsx", "src/cli/main.ts", ...args];
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { PATH, HOME, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    process: child,
    said: () => text,
    async url() {
      const find = () => /"event":"ready".*"url":"(?<url>[^"]+)\/graphql"/.exec(text)?.groups?.["url"];
      await waitUntil("the program is ready or has ended", () => find() ?? child.exitCode !== null, slowStartMs);
      const url = find();
      if (url === undefined) throw new Error(`The program ended with ${child.exitCode}: ${text}`);
      return url;
    },
    exit: () => ended,
  };
}
