/** Composes a whole server from a configuration, in this process: for `onejob serve`, the demo and tests. It knows no signals. */
import { buildOnejobSchema } from "../graphql/schema.ts";
import { type RuntimeOptions, startRuntime } from "../runtime/runtime.ts";
import type { Store } from "../store/store.ts";
import { createAuthenticator } from "./auth/create-authenticator.ts";
import { jobTokenSigner } from "./auth/job-tokens.ts";
import { compileConfig, type ServerConfig } from "./config/compile-config.ts";
import type { OnejobConfig } from "./config/definitions.ts";
import type { Overrides } from "./config/environment.ts";
import { loadPersistedDocuments } from "./documents/persisted-documents.ts";
import { createEndpoint } from "./graphql-endpoint.ts";
import type { Readiness } from "./health.ts";
import { listenHttp } from "./http-listener.ts";
import { createLiveCounts, type LiveCounts } from "./live-counts.ts";
import { createLog, type ServerLog } from "./log.ts";
import { openDatabase, type StoreTuning } from "./open-database.ts";
import { createRoutes, type Served } from "./route.ts";
import { openSockets } from "./socket/open-sockets.ts";
import { stopServer } from "./stop-server.ts";

export interface StartOptions {
  readonly config: OnejobConfig;
  /** These four override the configuration. 0 takes any free port. */
  readonly port?: number;
  readonly host?: string;
  readonly databaseUrl?: string;
  readonly dataDir?: string;
  /** By default warnings and errors, as lines on stderr. */
  readonly log?: ServerLog;
  readonly runtime?: RuntimeOptions;
  /** How the store is opened, apart from where. */
  readonly store?: StoreTuning;
}

export interface RunningServer {
  /** `http://host:port`; the API is at `/graphql` of it. */
  readonly url: string;
  readonly port: number;
  readonly store: Store;
  /** What callers have open at the moment. */
  readonly counts: LiveCounts;
  /** Who follows jobs at the moment, through streams of whatever kind. */
  followerCount(): number;
  /** Lets running attempts end within the grace period, then closes everything. May be called again. */
  stop(): Promise<void>;
}

function overridesOf({ port, host, databaseUrl, dataDir }: StartOptions): Overrides {
  const given = Object.entries({ port, host, databaseUrl, dataDir }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([source, value]) => [source, { source, text: String(value) }]));
}

/** Throws a StartupFault, with a line for each fault, for what whoever starts the server can mend. */
export function startServer(options: StartOptions): Promise<RunningServer> {
  const log = options.log ?? createLog({ level: "warn", format: "human", write: (line) => process.stderr.write(line) });
  return composeServer(compileConfig(options.config, overridesOf(options)), log, options.runtime, options.store);
}

export async function composeServer(
  config: ServerConfig,
  log: ServerLog,
  runtimeOptions: RuntimeOptions = {},
  storeTuning: StoreTuning = {},
): Promise<RunningServer> {
  const { catalog, host, http, limits, port, shutdownGraceMs: graceMs } = config;
  const schema = buildOnejobSchema();
  const persisted = await loadPersistedDocuments(http, schema);
  const readiness: Readiness = { phase: "starting", ping: () => Promise.resolve() };
  let served: Served | null = null;
  // The port comes first: a server that cannot have it should not start a database, nor claim a single attempt.
  const counts = createLiveCounts(limits);
  const { connections } = counts;
  const handlers = createRoutes({ readiness, served: () => served, connections, log });
  const { requestTimeoutMs } = limits;
  const listener = await listenHttp({ host, port, handlers, requestTimeoutMs, connections });
  const database = await openDatabase({ ...config, log, tuning: storeTuning }).catch(async (error: unknown) => {
    await listener.close(0);
    throw error;
  });

  const { store } = database;
  const runtime = startRuntime({ store, catalog, log, options: { ...config.live, ...runtimeOptions } });
  const jobTokens = config.auth?.jobTokens ?? null;
  const parts = {
    store: { ...store, ...runtime.reports },
    catalog,
    runtime,
    limits,
    signJobToken: jobTokens && jobTokenSigner(jobTokens),
  };
  const authenticator = createAuthenticator(config.auth, log);
  const shared = { parts, authenticator, log, limits, http, persisted, counts };
  const endpoint = createEndpoint({ schema, ...shared });
  served = { endpoint, sockets: openSockets({ endpoint, ...shared }) };
  readiness.ping = () => store.read.ping();
  readiness.phase = "serving";

  const running = { listener, database, runtime, served, graceMs };
  let stopping: Promise<void> | undefined;
  const stop = () => {
    readiness.phase = "stopping";
    return (stopping ??= stopServer(running, log));
  };
  const followerCount = () => runtime.feed.followerCount();
  return { url: listener.url, port: listener.port, store, counts, followerCount, stop };
}
