/** Starts one real PostgreSQL for the whole test run and migrates a template in it. It knows no test. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../../src/server/embedded-postgres/start-embedded-postgres.ts";
import { migrate } from "../../src/store/migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of a database whose user may create others. */
    postgresUrl: string;
    /** A migrated database that nobody connects to, so that it can be copied. */
    templateDatabase: string;
  }
}

const templateDatabase = "onejob_template";

/** ONEJOB_TEST_DATABASE_URL names another server to test on; its user must be allowed to create databases. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.ONEJOB_TEST_DATABASE_URL;
  const folder = given === undefined ? await mkdtemp(join(tmpdir(), "onejob-test-")) : null;
  const embedded = folder === null ? null : await startEmbeddedPostgres({ dataDir: folder });
  const url = given ?? embedded?.url ?? "";
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql.unsafe(`drop database if exists ${templateDatabase}`);
  await sql.unsafe(`create database ${templateDatabase}`);
  const templateUrl = new URL(url);
  templateUrl.pathname = `/${templateDatabase}`;
  await migrate(templateUrl.href);
  await sql.end();
  project.provide("postgresUrl", url);
  project.provide("templateDatabase", templateDatabase);
  return async () => {
    await embedded?.stop();
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  };
}
