/** Gives a test a database of its own on the run's PostgreSQL, empty or migrated. It starts no server. */
import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

async function create(template: string | null): Promise<TestDatabase> {
  const name = `onejob_test_${randomBytes(6).toString("hex")}`;
  const admin = inject("postgresUrl");
  const url = new URL(admin);
  url.pathname = `/${name}`;
  await withAdmin(admin, (sql) =>
    sql.unsafe(`create database ${name}${template === null ? "" : ` template ${template}`}`),
  );
  return {
    url: url.href,
    async drop() {
      await withAdmin(admin, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`));
    },
  };
}

async function withAdmin(url: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}

/** An empty database: whoever opens it migrates it. */
export function createTestDatabase(): Promise<TestDatabase> {
  return create(null);
}

/** A copy of the migrated template. */
export function createMigratedDatabase(): Promise<TestDatabase> {
  return create(inject("templateDatabase"));
}
