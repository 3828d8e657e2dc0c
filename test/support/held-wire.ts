/**
 * A wire between a server and PostgreSQL that keeps chosen statements, or their answers, until it is told to let go: so a
 * test decides what happens before a statement reads, and what between its reading and its answer. It changes no bytes.
 */
import type { Socket } from "node:net";
import { readMessages } from "./statement-wire.ts";
import { waitUntil } from "./wait-until.ts";
import { openWire, type Wire } from "./wire.ts";

export interface Holding {
  /** Waits until a statement is kept; with "answers", until it has been carried out and its answer is kept. */
  caught(): Promise<void>;
  /** Passes on what is kept, and keeps nothing more. */
  release(): void;
}

export interface HeldWire extends Wire {
  /** Keeps all statements that fit, or the answers to them, with whatever follows on their connections. */
  hold(what: "statements" | "answers", fits: (statement: string) => boolean): Holding;
  /** What was executed while the work went on. */
  during(work: () => Promise<unknown>): Promise<string[]>;
  /** Waits until the database has notified the server so many times of something in which the text stands. */
  tells(text: string, times: number): Promise<void>;
}

type Direction = "statements" | "answers";

interface Hold {
  readonly what: Direction;
  readonly fits: (statement: string) => boolean;
}

/** Passes bytes on, or keeps them. */
class Line {
  readonly #to: Socket;
  readonly #kept: Buffer[] = [];
  isHeld = false;

  constructor(to: Socket) {
    this.#to = to;
  }

  take(bytes: Buffer): void {
    if (this.isHeld) this.#kept.push(bytes);
    else this.#to.write(bytes);
  }

  release(): void {
    this.isHeld = false;
    for (const bytes of this.#kept.splice(0)) this.#to.write(bytes);
  }
}

/** "Ready for query": the end of every answer. */
const ready = Buffer.from([0x5a, 0, 0, 0, 5]);

export async function openHeldWire(databaseUrl: string): Promise<HeldWire> {
  const executed: string[] = [];
  const heard: string[] = [];
  const lines = new Set<Line>();
  let hold: Hold | null = null;
  let isCaught = false;
  const wire = await openWire(databaseUrl, ({ client, database }) => {
    const up = new Line(database);
    const down = new Line(client);
    for (const line of [up, down]) lines.add(line);
    client.once("close", () => {
      for (const line of [up, down]) lines.delete(line);
    });
    const read = readMessages((statement) => {
      executed.push(statement);
      if (hold?.fits(statement) !== true) return;
      if (hold.what === "answers") down.isHeld = true;
      else isCaught = up.isHeld = true;
    });
    client.on("data", (bytes: Buffer) => {
      read(bytes);
      up.take(bytes);
    });
    database.on("data", (bytes: Buffer) => {
      if (bytes.includes("onejob_")) heard.push(bytes.toString("latin1"));
      down.take(bytes);
      if (down.isHeld && bytes.includes(ready)) isCaught = true;
    });
  });
  return {
    ...wire,
    hold(what, fits) {
      hold = { what, fits };
      isCaught = false;
      return {
        caught: async () => void (await waitUntil(`one of the ${what} is kept`, () => isCaught)),
        release() {
          hold = null;
          for (const line of lines) line.release();
        },
      };
    },
    async during(work) {
      const before = executed.length;
      await work();
      return executed.slice(before);
    },
    async tells(text, times) {
      const told = () => heard.join("").split(text).length - 1;
      await waitUntil(`"${text}" is told ${times} times`, () => told() >= times);
    },
  };
}
