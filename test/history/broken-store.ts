/** What it takes to run servers whose store is wrong on purpose: their flags, and a database that does not stop them. */
import postgres from "postgres";

/** See break-store.mjs, which edits the store's statements as they are loaded. */
export const brokenStoreFlags: readonly string[] = ["--import", new URL("break-store.mjs", import.meta.url).href];

/** The constraint and the triggers would refuse what the broken statements do, and no client would see it. */
export async function disarm(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    await sql`alter table jobs drop constraint jobs_owner_key`;
    await sql`create index jobs_owner_key on jobs (owner_id, idempotency_key)`;
    await sql`alter table jobs disable trigger user`;
    await sql`alter table attempts disable trigger user`;
    await sql`alter table job_events disable trigger user`;
  } finally {
    await sql.end();
  }
}
