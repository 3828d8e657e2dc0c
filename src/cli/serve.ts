/** The command `serve`: a server from a configuration file, from its start to the signal that ends it. */
import { parseArgs } from "node:util";
import { compileConfig } from "../server/config/compile-config.ts";
import { type Overrides, overridesFrom } from "../server/config/environment.ts";
import { loadConfigFile } from "../server/config/load-config-file.ts";
import { createLog, type ServerLog } from "../server/log.ts";
import { endingSignal } from "./ending-signal.ts";
import { usage } from "./usage.ts";
import { usageFaultOf } from "./usage-fault.ts";

const options = {
  config: { type: "string" },
  port: { type: "string" },
  host: { type: "string" },
  "data-dir": { type: "string" },
  help: { type: "boolean" },
} as const;

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw usageFaultOf(error, "serve");
  }
}

function overridesOf(given: ReturnType<typeof readOptions>): Overrides {
  const { port, host, "data-dir": dataDir } = given;
  return {
    ...overridesFrom(process.env),
    ...(port === undefined ? {} : { port: { source: "--port", text: port } }),
    ...(host === undefined ? {} : { host: { source: "--host", text: host } }),
    ...(dataDir === undefined ? {} : { dataDir: { source: "--data-dir", text: dataDir } }),
  };
}

/**
 * An exception that nobody caught leaves the process in an unknown state: it says so and ends. A rejection that nobody
 * awaits is the commonest slip in a provider's code; it says so, and does not take every other attempt down with it.
 */
function hearWhatNobodyCaught(log: ServerLog): void {
  process.on("uncaughtException", (error) => {
    log.error("uncaught-error", { error });
    process.exit(1);
  });
  process.on("unhandledRejection", (error) => log.error("unhandled-rejection", { error }));
}

/** Resolves with the exit code once the server has stopped. Throws a StartupFault or a UsageFault when it does not start. */
export async function serve(args: readonly string[]): Promise<number> {
  const given = readOptions(args);
  if (given.help === true) {
    console.log(usage.serve);
    return 0;
  }
  // Whoever read the log may have gone: no reason to stop serving.
  process.stderr.on("error", () => {});
  const asked = endingSignal();
  const config = compileConfig(await loadConfigFile(given.config), overridesOf(given));
  const format = config.logFormat ?? (process.stderr.isTTY ? "human" : "json");
  const log = createLog({ level: config.logLevel, format, write: (line) => process.stderr.write(line) });
  hearWhatNobodyCaught(log);
  // Loaded only now, so that a typing error is answered at once.
  const { composeServer } = await import("../server/compose.ts");
  const { showsGraphiql } = await import("../server/graphiql.ts");
  const server = await composeServer(config, log);
  const shown = showsGraphiql(config.http) ? "the API and GraphiQL" : "the API";
  log.info("ready", { message: `Onejob is ready, with ${shown}`, url: `${server.url}/graphql` });
  const signal = await asked.once();
  log.info("stopping", { message: `Stopping; running attempts have ${config.shutdownGraceMs} ms to end`, signal });
  await server.stop();
  log.info("stopped", { message: "Stopped" });
  return 0;
}
