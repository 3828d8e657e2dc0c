/** Brings a database up to the migrations in drizzle/, one process at a time. It is the only place that opens a transaction. */
import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";

/** Any constant will do, so long as every process asks for the same lock. */
const advisoryLock = 7_263_114_905;
const oldestVersion = 150_000;
/** For whoever else migrates at this moment. */
const maxWaitMs = 600_000;
const migrationsFolder = fileURLToPath(new URL("../../drizzle", import.meta.url));

/** The database cannot carry Onejob, for a reason that its operator can mend. */
class UnsupportedDatabaseError extends Error {
  override readonly name = "UnsupportedDatabaseError";
}

/**
 * Waits for whoever migrates at this moment, then applies what is missing. Safe to call from many processes at once.
 * Throws UnsupportedDatabaseError on PostgreSQL before 15.
 */
export async function migrate(url: string): Promise<void> {
  // The lock belongs to a session, so there must be just one.
  const sql = postgres(url, {
    fetch_types: false,
    max: 1,
    connect_timeout: 10,
    onnotice: () => {},
    // A pooler in transaction mode refuses the second, and would leave the lock behind in one of its sessions.
    connection: { application_name: "onejob migrate", lock_timeout: maxWaitMs },
  });
  try {
    const [server] = await sql<{ number: string; version: string }[]>`
      select current_setting('server_version_num') as number, current_setting('server_version') as version`;
    if (Number(server?.number) < oldestVersion) {
      throw new UnsupportedDatabaseError(
        `The database is PostgreSQL ${server?.version}; Onejob needs version 15 or newer.`,
      );
    }
    await sql`select pg_advisory_lock(${advisoryLock})`;
    await applyMigrations(drizzle({ client: sql }), { migrationsFolder });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
