/** How a server starts behind PgBouncer in transaction mode, and how it refuses to. PgBouncer has to be installed. */
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { startServer } from "../../src/server/compose.ts";
import { createLog } from "../../src/server/log.ts";
import { apiConfig } from "../support/api-config.ts";
import { type Pooler, startPooler } from "../support/pgbouncer.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

const log = createLog({ level: "error", format: "json", write: () => {} });
let pooler: Pooler;
let database: TestDatabase;

beforeAll(async () => {
  pooler = await startPooler(inject("postgresUrl"));
  database = await createTestDatabase();
});

afterAll(async () => {
  await pooler.stop();
  await database.drop();
});

async function refusal(databaseUrl: string, directDatabaseUrl?: string): Promise<string> {
  const config = { ...apiConfig, ...(directDatabaseUrl && { directDatabaseUrl }) };
  try {
    const server = await startServer({ config, port: 0, databaseUrl, log });
    await server.stop();
    return "none";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test("a pooler's address alone is refused, and where to give the other one is said", async () => {
  expect(await refusal(pooler.through(database.url))).toMatch(
    /does not take the settings of a session: if it is a pooler, give the address past it as directDatabaseUrl/,
  );
});

test("a role whose sessions would wait without end is refused with the statements that mend it, and they do", async () => {
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  try {
    const message = await refusal(pooler.through(database.url), database.url);
    const statements = message.match(/ALTER ROLE [^;]+;/g) ?? [];
    expect(statements.map((text) => text.replace(/^.* SET /, ""))).toEqual([
      "lock_timeout = '5000ms';",
      "statement_timeout = '30000ms';",
    ]);
    for (const statement of statements) await sql.unsafe(statement);
    await pooler.reconnect();
    expect(await refusal(pooler.through(database.url), database.url)).toBe("none");
  } finally {
    await sql.end();
  }
});
