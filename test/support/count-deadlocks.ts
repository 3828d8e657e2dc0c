/** How many deadlocks PostgreSQL has broken up in a test's database. The store tries again after one, so no answer shows it. */
import type postgres from "postgres";
import type { Store } from "../../src/store/store.ts";
import { waitUntil } from "./wait-until.ts";

/** A session hands its counts in when it ends at the latest, so the stores are closed first. */
export async function countDeadlocks(sql: postgres.Sql, stores: readonly Store[]): Promise<number> {
  await Promise.all(stores.map((store) => store.close()));
  await waitUntil("the stores' sessions have ended", async () => {
    const rows =
      await sql`select from pg_stat_activity where datname = current_database() and application_name like 'onejob%'`;
    return rows.length === 0;
  });
  const [row] = await sql<{ deadlocks: number }[]>`
    select deadlocks::int from pg_stat_database where datname = current_database()`;
  return row?.deadlocks ?? 0;
}
