/** Judges a whole configuration and compiles it to what the server runs on. It reads no file and no environment. */
import type { Catalog } from "../../domain/operation.ts";
import { isLoopback } from "../loopback.ts";
import { StartupFault } from "../startup-fault.ts";
import type { Overrides } from "./environment.ts";
import { type AuthSettings, readAuth } from "./read-auth.ts";
import { type HttpSettings, readHttp } from "./read-http.ts";
import { type Limits, readLimits } from "./read-limits.ts";
import { type LiveSettings, readLive } from "./read-live.ts";
import { readOperations } from "./read-operations.ts";
import { namesOf, readProviders } from "./read-providers.ts";
import { readSettings, type Settings } from "./read-settings.ts";

export interface ServerConfig extends Settings {
  readonly catalog: Catalog;
  /** Null without authentication. */
  readonly auth: AuthSettings | null;
  readonly limits: Limits;
  readonly http: HttpSettings;
  readonly live: LiveSettings;
}

const sections: ReadonlySet<string> = new Set([
  "providers",
  "operations",
  "auth",
  "limits",
  "http",
  "live",
  "host",
  "port",
  "databaseUrl",
  "directDatabaseUrl",
  "dataDir",
  "log",
  "shutdownGraceMs",
]);
/** Announced, and not there yet: refused, since a setting that does nothing is worse than none. */
const laterSections: ReadonlySet<string> = new Set(["retention"]);

function sectionsOf(config: unknown): Readonly<Record<string, unknown>> {
  if (typeof config === "object" && config !== null && !Array.isArray(config)) return config as Record<string, unknown>;
  throw new StartupFault(["The configuration must export an object by default: export default defineConfig({ … })."]);
}

/** Throws a StartupFault with one line for each fault of the file, of the environment and of both together. */
export function compileConfig(config: unknown, overrides: Overrides): ServerConfig {
  const file = sectionsOf(config);
  const faults: string[] = [];
  const report = (where: string, what: string) => void faults.push(`${where} ${what}.`);

  for (const name of Object.keys(file)) {
    if (laterSections.has(name)) report(name, "is not available in this version");
    else if (!sections.has(name)) report(name, `is no setting: there are ${[...sections].join(", ")}`);
  }
  const providerNames = namesOf(file["providers"]);
  const providers = readProviders(file["providers"], report);
  const operations = readOperations(file["operations"], providerNames, report);
  const auth = readAuth(file["auth"], providerNames, report);
  const limits = readLimits(file["limits"], report);
  const http = readHttp(file["http"], report);
  const live = readLive(file["live"], report);
  const settings = readSettings(file, overrides, report);
  if (file["auth"] === undefined && !isLoopback(settings.host)) {
    const where = overrides.host?.source ?? "host";
    report(
      where,
      `is ${settings.host}, where others could reach a server that asks nobody who they are: configure auth, or listen on 127.0.0.1`,
    );
  }
  if (faults.length > 0) throw new StartupFault(faults);
  return { ...settings, catalog: { operations, providers }, auth, limits, http, live };
}
