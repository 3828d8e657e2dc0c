/** Starts a server in a process of its own whose memory can be measured, without the clients' in it. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Measured } from "./measured-server.ts";

const program = fileURLToPath(new URL("measured-server.ts", import.meta.url));

export interface MeasuredServer {
  readonly url: string;
  measure(): Promise<Measured>;
  stop(): Promise<void>;
}

export async function startMeasuredServer(databaseUrl: string, answerBytes: number): Promise<MeasuredServer> {
  const execArgv = ["--conditions=onejob-source", "--import", "tsx", "--expose-gc"];
  const child = fork(program, [databaseUrl, String(answerBytes)], { execArgv });
  const exited = once(child, "exit");
  const leaveNone = () => void child.kill("SIGKILL");
  process.once("exit", leaveNone);
  child.once("exit", () => process.off("exit", leaveNone));
  const answer = async <Answer>(): Promise<Answer> => {
    const [message] = (await Promise.race([
      once(child, "message"),
      exited.then(() => Promise.reject(new Error("The server has ended."))),
    ])) as [Answer];
    return message;
  };
  const { url } = await answer<{ url: string }>();
  return {
    url,
    async measure() {
      child.send("measure");
      return await answer<Measured>();
    },
    async stop() {
      if (child.exitCode === null) child.send("stop");
      await exited;
    },
  };
}
