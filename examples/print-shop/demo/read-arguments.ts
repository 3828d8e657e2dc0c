/** Reads the demo's command line. It opens nothing. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Complaint } from "./complaint.ts";

export const usage = `Plays the print shop's story on a real server and prints a real file.

Usage: npm run demo -- [FILE] [OPTIONS]

  FILE      the document to print: Markdown if it ends in .md or .markdown, else text (README.md)
  --exit    end after the story; the exit code is 0 if everything came out as told
  --port N  the port to listen on; 0 takes any free one (4000, or any free one if that is taken)
  --help    show this

DATABASE_URL names a PostgreSQL of your own; without it an embedded one starts.
The database and the paper tray are in .onejob, or where ONEJOB_DATA_DIR says.`;

export interface Arguments {
  readonly file: string;
  readonly exit: boolean;
  /** Null where none was asked for. */
  readonly port: number | null;
  readonly help: boolean;
}

const options = { exit: { type: "boolean" }, port: { type: "string" }, help: { type: "boolean" } } as const;

const readme = fileURLToPath(new URL("../../../README.md", import.meta.url));

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Complaint(`${error.message.split(". ", 1)[0]}: --help shows what there is.`);
  }
}

function readPort(text: string | undefined): number | null {
  if (text === undefined || text === "") return null;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new Complaint(`A port is a number from 0 to 65535, and not ${JSON.stringify(text)}.`);
  return port;
}

/** A file is named from where the person stands; npm runs scripts elsewhere, and says in INIT_CWD where that was. */
export function readArguments(args: readonly string[], environment: NodeJS.ProcessEnv): Arguments {
  const { values, positionals } = parse(args);
  const [file, second] = positionals;
  if (second !== undefined) throw new Complaint(`The demo prints one file, and not ${second} as well.`);
  return {
    file: file === undefined ? readme : path.resolve(environment.INIT_CWD ?? ".", file),
    exit: values.exit ?? false,
    port: readPort(values.port ?? environment.PORT),
    help: values.help ?? false,
  };
}
