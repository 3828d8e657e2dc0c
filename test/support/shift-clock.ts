/** Sets the database's clock ahead, as everything that judges time sees it: it replaces onejob_now() in a test's own database. */
import type postgres from "postgres";

/** `by` is an interval as PostgreSQL reads it, such as "1 hour"; "0" gives the true time back. */
export async function shiftClock(sql: postgres.Sql, by: string): Promise<void> {
  await sql.unsafe(`create or replace function onejob_now() returns timestamptz language sql volatile
    as $$ select date_trunc('milliseconds', clock_timestamp()) + interval '${by}' $$`);
}
