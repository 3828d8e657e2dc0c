/** Starts the client processes, lets them begin together and gathers what they record. It starts no server and decides no end. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Assignment, FromClient, ToClient } from "./client.ts";
import type { Operation } from "./operation.ts";

const program = fileURLToPath(new URL("client.ts", import.meta.url));

export interface Clients {
  /** Lets all of them begin. */
  begin(): void;
  tell(message: ToClient): void;
  /** Resolves when all have finished what they were at; throws where one has ended before. */
  readonly finished: Promise<unknown>;
  kill(): void;
}

function awaitAll(children: readonly ChildProcess[], kind: FromClient["kind"]): Promise<unknown> {
  return Promise.all(
    children.map(
      (child) =>
        new Promise<void>((resolve, reject) => {
          child.on("message", (message: FromClient) => message.kind === kind && resolve());
          child.once("exit", (code) => reject(new Error(`A client ended with ${code} before it was ${kind}.`)));
        }),
    ),
  );
}

/** Resolves when all are up and wait for the beginning. */
export async function startClients(
  count: number,
  common: Omit<Assignment, "client" | "origin">,
  record: (operation: Operation) => void,
): Promise<Clients> {
  const children = Array.from({ length: count }, () => fork(program, { execArgv: ["--import", "tsx"] }));
  const kill = () => {
    for (const child of children) child.kill("SIGKILL");
  };
  process.once("exit", kill);
  for (const child of children) {
    child.on("message", (message: FromClient) => {
      if (message.kind === "operation") record(message.operation);
    });
  }
  const finished = awaitAll(children, "finished");
  finished.catch(() => {});
  await awaitAll(children, "ready");
  const send = (child: ChildProcess, message: ToClient) => {
    if (child.connected) child.send(message);
  };
  return {
    begin() {
      const origin = process.hrtime.bigint().toString();
      for (const [client, child] of children.entries()) {
        send(child, { kind: "begin", assignment: { ...common, client, origin, seed: common.seed + client } });
      }
    },
    tell(message) {
      for (const child of children) send(child, message);
    },
    finished,
    kill,
  };
}
