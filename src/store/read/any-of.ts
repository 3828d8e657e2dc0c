/**
 * "Is one of these ids", as one parameter. Drizzle's inArray has one for each id, so that every number of ids would be a
 * statement of its own: parsed and planned anew, and kept prepared on each connection for good.
 */
import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

export function anyOf(column: PgColumn, ids: readonly string[]): SQL {
  return sql`${column} = any(${sql.param([...ids])}::uuid[])`;
}
