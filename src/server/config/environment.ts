/** The environment variables that override the configuration file. It is told the environment; it does not look for it. */

/** Settings as texts, each with the name that it came under, for faults that name it. */
export interface Override {
  readonly source: string;
  readonly text: string;
}

const overridable = {
  port: "PORT",
  host: "HOST",
  databaseUrl: "DATABASE_URL",
  directDatabaseUrl: "DIRECT_DATABASE_URL",
  dataDir: "ONEJOB_DATA_DIR",
  logLevel: "ONEJOB_LOG_LEVEL",
  logFormat: "ONEJOB_LOG_FORMAT",
  shutdownGraceMs: "ONEJOB_SHUTDOWN_GRACE_MS",
} as const;

export type Overrides = { readonly [Setting in keyof typeof overridable]?: Override };

/** An empty variable counts as absent. */
export function overridesFrom(environment: Readonly<Record<string, string | undefined>>): Overrides {
  const found = Object.entries(overridable).flatMap(([setting, source]) => {
    const text = environment[source];
    return text === undefined || text === "" ? [] : [[setting, { source, text }] as const];
  });
  return Object.fromEntries(found);
}
