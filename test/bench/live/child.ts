/** A process of the benchmark's own that answers questions, so that each part's cost is its own. What is asked and answered is the parts' business. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** What a process can be asked: one argument each, and an answer. */
export type Asks = Readonly<Record<string, (argument: never) => unknown>>;

export interface Child<Answers extends Asks> {
  ask<Kind extends keyof Answers & string>(
    kind: Kind,
    argument: Parameters<Answers[Kind]>[0],
  ): Promise<Awaited<ReturnType<Answers[Kind]>>>;
  stop(): Promise<void>;
}

interface Question {
  readonly id: number;
  readonly kind: string;
  readonly argument: unknown;
}

interface Reply {
  readonly id: number;
  readonly answer?: unknown;
  readonly fault?: string;
}

/** Runs a file of this folder; `flags` are Node's. */
export function startChild<Answers extends Asks>(file: string, argument: string, flags: readonly string[]) {
  const path = new URL(file, import.meta.url);
  const child: ChildProcess = fork(path, [argument], {
    execArgv: [...process.execArgv, ...flags],
    serialization: "advanced",
  });
  const leaveNone = () => void child.kill("SIGKILL");
  process.once("exit", leaveNone);
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let asked = 0;
  let isStopping = false;
  child.on("message", ({ id, answer, fault }: Reply) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (fault === undefined) one?.resolve(answer);
    else one?.reject(new Error(`${file}: ${fault}`));
  });
  child.once("exit", (code) => {
    process.off("exit", leaveNone);
    if (isStopping) return;
    for (const one of waiting.values()) one.reject(new Error(`${file} ended with ${code}.`));
  });
  return {
    ask(kind, value) {
      asked += 1;
      const question: Question = { id: asked, kind, argument: value };
      return new Promise((resolve, reject) => {
        waiting.set(asked, { resolve, reject });
        child.send(question);
      });
    },
    async stop() {
      isStopping = true;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  } satisfies Child<Answers> as Child<Answers>;
}

/** In the process: answers whoever started it. */
export function answerParent(answers: Asks): void {
  const send = (reply: Reply) => void process.send?.(reply);
  process.on("message", ({ id, kind, argument }: Question) => {
    const answer = async () => await answers[kind]?.(argument as never);
    answer().then(
      (value) => send({ id, answer: value }),
      (error: unknown) => send({ id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.on("disconnect", () => process.exit());
}
