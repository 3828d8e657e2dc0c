/** Loads a configuration file, TypeScript or JavaScript, and gives back what it exports by default. It judges nothing of it. */
import { existsSync, statSync } from "node:fs";
import { register } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { tsImport } from "tsx/esm/api";
import { StartupFault } from "../startup-fault.ts";

const defaultFile = "onejob.config.ts";

/**
 * A loader's hook for what stands in no project, or in a careless one. It lends this very package, and the Zod that it
 * brings, to files that find none of their own; and it takes TypeScript for ES modules, whatever package.json says or not.
 */
const lenientHook = (lenderUrl: string) => `
  const lent = new Set(["onejob", "zod"]);
  const find = async (specifier, context, next) => {
    try {
      return await next(specifier, context);
    } catch (error) {
      if (!lent.has(specifier)) throw error;
      return next(specifier, { ...context, parentURL: ${JSON.stringify(lenderUrl)} });
    }
  };
  export async function resolve(specifier, context, next) {
    const found = await find(specifier, context, next);
    const isOwnTypeScript = /[.]tsx?([?#]|$)/.test(found.url) && !found.url.includes("/node_modules/");
    return isOwnTypeScript ? { ...found, format: "module" } : found;
  }`;

let hookRegistered = false;

function registerHook(): void {
  if (hookRegistered) return;
  hookRegistered = true;
  register(`data:text/javascript,${encodeURIComponent(lenientHook(import.meta.url))}`);
}

function locate(file: string | undefined): string {
  const path = resolve(file ?? defaultFile);
  if (existsSync(path) && statSync(path).isFile()) return path;
  if (file !== undefined) throw new StartupFault([`There is no configuration file ${path}.`]);
  const example = fileURLToPath(new URL("../../../examples/minimal/onejob.config.ts", import.meta.url));
  const model = existsSync(example) ? ` (${example} is one to start from)` : "";
  throw new StartupFault([`There is no ${defaultFile} here: write one${model}, or name another with --config FILE.`]);
}

/** Node takes a file that the configuration imports for CommonJS there, past the hook. */
const howToImport =
  'Files that a configuration imports need a package.json with "type": "module" beside them, or the ending .mts.';

/** The first line that says something: a syntax error of a loader begins with a heading of its own. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = error.message.split("\n").map((line) => line.trim());
  const telling = lines.filter((line) => line !== "" && !/^(Transform|Build) failed with/.test(line));
  const reason = (telling[0] ?? error.name).replace(/ imported from .*$/, "");
  return /^Cannot find module '(onejob|zod)'$/.test(reason) ? `${reason}. ${howToImport}` : reason;
}

/** By default `onejob.config.ts` in the working directory. Throws a StartupFault when there is no such file or it fails. */
export async function loadConfigFile(file?: string): Promise<unknown> {
  const path = locate(file);
  registerHook();
  try {
    const loaded: unknown = await tsImport(pathToFileURL(path).href, { parentURL: import.meta.url, tsconfig: false });
    return defaultExportOf(loaded);
  } catch (error) {
    throw new StartupFault([`The configuration ${path} cannot be loaded: ${reasonOf(error)}`], error);
  }
}

/** A file that Node takes for CommonJS has its exports one level deeper. */
function defaultExportOf(loaded: unknown): unknown {
  const outer = memberDefault(loaded);
  return memberDefault(outer) ?? outer;
}

function memberDefault(value: unknown): unknown {
  return typeof value === "object" && value !== null && "default" in value ? value.default : undefined;
}
