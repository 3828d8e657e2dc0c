/** What the program says about itself. It runs nothing. */
import { readFileSync } from "node:fs";

const general = `Onejob: one click, one job. A GraphQL server with live subscriptions on PostgreSQL.

Usage: onejob COMMAND [OPTIONS]

Commands:
  serve      start a server with a configuration of your own

Options:
  --help     show this, or after a command what that command takes
  --version  show the version`;

const serve = `Starts a server and stays until it is asked to stop (SIGINT, SIGTERM).

Usage: onejob serve [OPTIONS]

Options:
  --config FILE   the configuration, TypeScript or JavaScript (onejob.config.ts)
  --port N        the port to listen on; 0 takes any free one (4000)
  --host NAME     the address to listen on (127.0.0.1)
  --data-dir DIR  where the embedded database lives (.onejob)
  --help          show this

Environment, over the configuration and under the options:
  DATABASE_URL              a PostgreSQL, 15 or newer; without it an embedded one starts
  PORT, HOST                as --port and --host
  ONEJOB_DATA_DIR           as --data-dir
  ONEJOB_LOG_LEVEL          debug, info, warn or error (info)
  ONEJOB_LOG_FORMAT         human or json (human on a terminal)
  ONEJOB_SHUTDOWN_GRACE_MS  how long running attempts may take to end (10000)`;

export const usage = { general, serve } as const;

export function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
