// Creates the database that Onejob lives in, in a cluster that has only PostgreSQL's own. Its tables are migrations.

import postgres from "postgres";

/** Does nothing when the database is there. `adminUrl` leads to a database that always is. */
export async function createDatabase(adminUrl: string, name: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, ssl: false, connect_timeout: 10 });
  try {
    const found = await sql`select from pg_database where datname = ${name}`;
    if (found.length === 0) await sql`create database ${sql(name)}`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
