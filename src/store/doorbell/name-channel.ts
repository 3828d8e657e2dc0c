/** Names the channel of one database, so that others on the same Redis are not heard. It takes no setting, which could be forgotten. */
import type { Sql } from "../connect.ts";

/** The cluster's identifier is random, made with it, and open to every role; a standby that takes over keeps it. */
export async function nameChannel(sql: Sql): Promise<string> {
  const [row] = await sql<{ name: string }[]>`
    select 'onejob:' || c.system_identifier || ':' || d.oid as name
    from pg_control_system() c, pg_database d where d.datname = current_database()`;
  if (row === undefined) throw new Error("The database does not say which one it is.");
  return row.name;
}
