/** What bench:live may be asked for on the command line. It runs nothing. */
import { parseArgs } from "node:util";

export const parts = ["latency", "goal", "notify"] as const;
export type Part = (typeof parts)[number];
export const transports = ["WebSocket", "SSE"] as const;
export const shapes = ["one job", "one each"] as const;

export interface Options {
  readonly parts: readonly Part[];
  readonly subscribers: readonly number[];
  readonly transports: readonly (typeof transports)[number][];
  readonly shapes: readonly (typeof shapes)[number][];
  /** Of each round of the latency, and of each span of the goal. */
  readonly seconds: number;
  /** The folder for profiles of the server; null for none. */
  readonly profileDir: string | null;
}

const help = `Usage: npm run bench:live -- [options]

Measures live delivery and prints Markdown. All of it takes about six and a half minutes on two cores.

  --only <part>          latency, goal or notify: one part alone
  --subscribers <list>   numbers of subscribers for the latency, such as 1,1000 (by default 1,100,1000,5000)
  --transport <name>     WebSocket or SSE alone
  --shape <name>         "one job" that all follow, or "one each", alone
  --seconds <number>     how long each round measures (by default 4)
  --profile <folder>     write a processor profile of the server's for each round of latency, and for the goal
  --help                 this text

SSE takes a connection for each subscriber: rounds for which a process may not open enough files are left out (ulimit -n).`;

function one<Name extends string>(names: readonly Name[], given: string | undefined, option: string): readonly Name[] {
  if (given === undefined) return names;
  const found = names.filter((name) => name === given);
  if (found.length === 0) throw new Error(`--${option} is one of ${names.join(", ")}.`);
  return found;
}

/** Null where the help was asked for, and printed. */
export function readOptions(args: readonly string[]): Options | null {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: text,
      subscribers: text,
      transport: text,
      shape: text,
      seconds: text,
      profile: text,
      help: { type: "boolean" },
    },
  });
  if (values.help === true) {
    console.log(help);
    return null;
  }
  const seconds = Number(values.seconds ?? 4);
  const subscribers = (values.subscribers ?? "1,100,1000,5000").split(",").map(Number);
  if (![seconds, ...subscribers].every((value) => value > 0)) throw new Error("Numbers are greater than 0.");
  return {
    parts: one(parts, values.only, "only"),
    subscribers,
    transports: one(transports, values.transport, "transport"),
    shapes: one(shapes, values.shape, "shape"),
    seconds,
    profileDir: values.profile ?? null,
  };
}
