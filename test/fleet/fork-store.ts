/** Starts a store in a process of its own, and tells it what to do. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { StoreOptions } from "../../src/store/open-store.ts";
import type { FromStore, ToStore } from "./store-process.ts";

const program = fileURLToPath(new URL("store-process.ts", import.meta.url));

export interface ForkedStore {
  /** Answers with the job's id once it is committed. */
  create(ownerId: string): Promise<string>;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Has the store closed; answers with the exit code once the process has ended by itself. */
  close(): Promise<number | null>;
}

export async function forkStore(options: StoreOptions): Promise<ForkedStore> {
  const child = fork(program, { execArgv: ["--conditions=onejob-source", "--import", "tsx"] });
  const leaveNone = () => void child.kill("SIGKILL");
  process.once("exit", leaveNone);
  child.once("exit", () => process.off("exit", leaveNone));
  const exited = once(child, "exit");
  async function ask(message: ToStore): Promise<FromStore> {
    const answered = once(child, "message");
    child.send(message);
    const [answer] = (await answered) as [FromStore];
    if ("fault" in answer) throw new Error(answer.fault);
    return answer;
  }
  await ask({ open: options });
  return {
    async create(ownerId) {
      const answer = await ask({ create: { ownerId } });
      return "jobId" in answer ? answer.jobId : "";
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async close() {
      child.send({ close: true } satisfies ToStore);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}
