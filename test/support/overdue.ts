/** Lets the leases of attempts lapse, by the database's clock: the next sweep finds them. It changes nothing else. */
import type postgres from "postgres";

export async function overdue(sql: postgres.Sql, attemptIds: readonly string[]): Promise<void> {
  await sql`
    update attempts set lease_expires_at = onejob_now() - interval '1 second' where id = any(${attemptIds as string[]}::uuid[])`;
}
