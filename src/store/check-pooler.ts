/** Makes sure that sessions behind a pooler have the settings that it does not carry. It sets none itself: the role may be others' too. */
import { type Sql, waits } from "./connect.ts";

/** The sessions behind the pooler would wait for ever: whoever operates the database can mend it, by the statements of the message. */
class PoolerSettingsError extends Error {
  override readonly name = "PoolerSettingsError";
}

/** Throws PoolerSettingsError with the statements to run where a statement could wait without end. */
export async function checkPooler(sql: Sql): Promise<void> {
  const names = Object.keys(waits);
  const missing = await sql<{ statement: string }[]>`
    select format('ALTER ROLE %I IN DATABASE %I SET %s = %L;', current_user, current_database(), wait.name, wait.ms || 'ms') as statement
    from unnest(${names}::text[], ${Object.values(waits).map(String)}::text[]) wait(name, ms)
    where current_setting(wait.name) = '0'`;
  if (missing.length === 0) return;
  const statements = missing.map((row) => row.statement).join(" ");
  throw new PoolerSettingsError(
    `Statements that go through the pooler would wait without end: run ${statements} Then have the pooler open new connections (RECONNECT in PgBouncer's console), and start again.`,
  );
}
