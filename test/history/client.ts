/**
 * A client in a process of its own: calls the servers until it is told to stop, cutting some of its own connections, and hands
 * each call with its answer to the process that started it. It judges no answer.
 *
 * Its clock is process.hrtime.bigint(), which on Linux is CLOCK_MONOTONIC: one clock for all processes of the machine, so times
 * of different processes compare.
 */
import { setTimeout as pause } from "node:timers/promises";
import { callServer, type Sent, type Tokens } from "./call-server.ts";
import { Memory } from "./choose-call.ts";
import type { Call, Operation } from "./operation.ts";
import { type Chance, seeded } from "./seeded.ts";

export interface Assignment {
  readonly client: number;
  readonly seed: number;
  /** The moment from which all clients count, in nanoseconds of the machine's monotonic clock. */
  readonly origin: string;
  /** Calls under way at the same time. */
  readonly lanes: number;
  readonly servers: readonly string[];
  readonly tokens: Tokens;
}

/** `era` names the keys to be busy with; `server` is where a server is after it was started again. */
export type ToClient =
  | { readonly kind: "begin"; readonly assignment: Assignment }
  | { readonly kind: "era"; readonly era: number }
  | { readonly kind: "server"; readonly place: number; readonly url: string }
  | { readonly kind: "stop" };

export type FromClient =
  | { readonly kind: "ready" }
  | { readonly kind: "operation"; readonly operation: Operation }
  | { readonly kind: "finished" };

/** Longer than any call takes on a server that lives, also on a busy machine. */
const patienceMs = 15_000;
/** One call in so many is cut by its own client, within so many milliseconds. */
const cutOneIn = 25;
const cutWithinMs = 15;

const urls: string[] = [];
let era = 0;
let stopped = false;

function tell(message: FromClient): void {
  process.send?.(message);
}

class Client {
  readonly #assignment: Assignment;
  readonly #origin: bigint;
  readonly #chance: Chance;
  readonly #memory: Memory;

  constructor(assignment: Assignment) {
    this.#assignment = assignment;
    this.#origin = BigInt(assignment.origin);
    this.#chance = seeded(assignment.seed);
    this.#memory = new Memory(this.#chance);
  }

  #now(): number {
    return Number(process.hrtime.bigint() - this.#origin);
  }

  async #carryOut(sent: Sent): Promise<void> {
    const server = this.#chance.below(urls.length);
    const isCut = this.#chance.below(cutOneIn) === 0;
    const signal = AbortSignal.timeout(isCut ? this.#chance.below(cutWithinMs) : patienceMs);
    const invokedAt = this.#now();
    const outcome = await callServer(urls[server] ?? "", sent, this.#assignment.tokens, signal);
    const endedAt = this.#now();
    if (outcome.kind === "notSent") {
      await pause(20);
      return;
    }
    const isAnswered = outcome.kind === "answered";
    if (isAnswered) this.#memory.learn(outcome.learned);
    // A claim is about no register, and a read that nobody answered says nothing.
    if (sent.kind === "claim" || (!isAnswered && sent.kind.startsWith("read"))) return;
    const { token: _token, ...call } = sent as Call & { token?: string };
    const [answeredAt, answer] = isAnswered ? [endedAt, outcome.answer] : [null, null];
    const { client } = this.#assignment;
    tell({ kind: "operation", operation: { client, server, call, invokedAt, answeredAt, answer } });
  }

  async #lane(): Promise<void> {
    while (!stopped) {
      const sent = this.#memory.choose(era);
      // Nothing is known yet: another lane may learn something.
      if (sent === null) await pause(1);
      else await this.#carryOut(sent);
    }
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.#assignment.lanes }, () => this.#lane()));
  }
}

process.on("message", (message: ToClient) => {
  switch (message.kind) {
    case "begin":
      urls.push(...message.assignment.servers);
      // A fault ends the process, which its parent notices.
      void new Client(message.assignment).run().then(() => tell({ kind: "finished" }));
      break;
    case "era":
      era = message.era;
      break;
    case "server":
      urls[message.place] = message.url;
      break;
    case "stop":
      stopped = true;
  }
});
process.once("disconnect", () => process.exit());
tell({ kind: "ready" });
