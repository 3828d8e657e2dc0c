/** A server of a benchmark in a process of its own, so that what clients cost is not mistaken for what it does. It measures nothing. */
import { spawn } from "node:child_process";

export interface OtherServer {
  readonly url: string;
  stop(): void;
}

/** Runs the file again with `--serve` and the database's address; it prints its URL once it serves. */
export function startOther(file: string, databaseUrl: string): Promise<OtherServer> {
  const child = spawn(process.execPath, [...process.execArgv, file, "--serve", databaseUrl], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.stdout.once("data", (chunk: Buffer) =>
      resolve({ url: chunk.toString().trim(), stop: () => void child.kill("SIGKILL") }),
    );
  });
}
