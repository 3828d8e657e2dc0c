/** Opens the two pools on one database: the client's own for the statements of write/, Drizzle's for reads. It knows no table. */
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { withoutTypeQuery } from "./array-types.ts";

/** The client for prepared statements in SQL; rows come with camelCase names. */
export type Sql = postgres.Sql;
export type Database = PostgresJsDatabase;

export interface Connections {
  readonly sql: Sql;
  readonly db: Database;
  close(): Promise<void>;
}

export const defaultPoolSize = 6;

/** How long a statement waits for a row, and how long it may take in all, in milliseconds: nothing may wait for ever. */
export const waits = { lock_timeout: 5_000, statement_timeout: 30_000 } as const;

export interface ConnectOptions {
  readonly url: string;
  /** Whether `url` leads through a pooler in transaction mode: each statement may then meet another session. */
  readonly isPooled?: boolean;
  /** What its sessions are called in pg_stat_activity. */
  readonly applicationName?: string;
  /** Connections of each of the two pools. */
  readonly poolSize?: number;
  /** How long a statement waits for a row that another holds before it is refused. */
  readonly lockTimeoutMs?: number;
  readonly statementTimeoutMs?: number;
}

/**
 * A prepared statement keeps the plan of its first runs. On a young database those find tables of a few rows, so a plan that
 * scans them whole would be kept while they grow. The statements of write/ are index lookups, all of them: say so.
 */
const indexLookupsOnly = {
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
};

/** Nothing of the server's chatter is for the caller's eyes. */
function ignoreNotice(): void {}

/** A pooler carries neither settings of a session, but for its name, nor statements that a session has prepared. */
function sessionOf(options: ConnectOptions, settings: Readonly<Record<string, string>> = {}) {
  const application_name = options.applicationName ?? "onejob";
  if (options.isPooled) return { connection: { application_name }, prepare: false };
  return {
    connection: {
      application_name,
      lock_timeout: options.lockTimeoutMs ?? waits.lock_timeout,
      statement_timeout: options.statementTimeoutMs ?? waits.statement_timeout,
      ...settings,
    },
  };
}

function poolOptions(options: ConnectOptions) {
  return {
    ...withoutTypeQuery,
    max: options.poolSize ?? defaultPoolSize,
    // A connection that is cut while it starts is noticed only by this: short, since its statement waits for it.
    connect_timeout: 3,
    onnotice: ignoreNotice,
  };
}

export function connect(options: ConnectOptions): Connections {
  const shared = poolOptions(options);
  const sql = postgres(options.url, {
    ...shared,
    // Without prepared statements no plan is kept, and each fits the tables as they are.
    ...sessionOf(options, indexLookupsOnly),
    transform: { column: { from: postgres.toCamel } },
  });
  // Drizzle changes its client's parsers, so it gets one of its own.
  const reader = postgres(options.url, { ...shared, ...sessionOf(options) });
  return {
    sql,
    db: drizzle({ client: reader }),
    async close() {
      await Promise.all([sql.end({ timeout: 5 }), reader.end({ timeout: 5 })]);
    },
  };
}

/** SQLSTATE of a database error, also one that Drizzle wrapped; null for anything else. */
export function sqlStateOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  if (error instanceof postgres.PostgresError) return error.code;
  return "cause" in error ? sqlStateOf(error.cause) : null;
}
