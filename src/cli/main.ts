#!/usr/bin/env node
/** The program: finds the command that was asked for and says what went wrong. The commands are in the files beside it. */
import { describeError } from "../server/describe-error.ts";
import { StartupFault } from "../server/startup-fault.ts";
import { readVersion, usage } from "./usage.ts";
import { UsageFault } from "./usage-fault.ts";

type Command = (args: string[]) => Promise<number>;

/** Loaded when asked for, so that `--help` need not wait for a whole server. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./serve.ts")).serve,
};

async function run([name, ...args]: string[]): Promise<number> {
  if (name === "--version") {
    console.log(readVersion());
    return 0;
  }
  if (name === undefined || name === "--help" || name === "help") {
    console.log(usage.general);
    return name === undefined ? 2 : 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) throw new UsageFault(`There is no command ${name}: onejob --help shows which there are.`);
  const command = await load();
  return await command(args);
}

/** One line for each fault. A stack is for whoever looks for a bug, and asks for it. */
function complain(error: unknown): number {
  if (error instanceof UsageFault) {
    console.error(`onejob: ${error.message}`);
    return 2;
  }
  if (error instanceof StartupFault) {
    for (const line of error.lines) console.error(`onejob: ${line}`);
  } else {
    console.error(`onejob: ${describeError(error, false).message}`);
  }
  if (process.env["ONEJOB_LOG_LEVEL"] === "debug") console.error(error);
  return 1;
}

process.exit(await run(process.argv.slice(2)).catch(complain));
