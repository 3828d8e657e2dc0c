/** Keyset paging on (instant, id): the conditions and the order of one page, in either direction. It knows no table. */
import { and, asc, desc, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Page, PageRequest, Position } from "../pages.ts";

export interface Keyset {
  readonly at: PgColumn;
  readonly id: PgColumn;
}

function beyond({ at, id }: Keyset, position: Position, towards: "later" | "earlier"): SQL {
  const operator = towards === "later" ? sql.raw(">") : sql.raw("<");
  return sql`(${at}, ${id}) ${operator} (${position.at.toISOString()}::timestamptz, ${position.id}::uuid)`;
}

/** Rows between the two positions; a row more than asked tells whether there is a further page. */
export function pageQuery(keyset: Keyset, page: PageRequest) {
  const later = page.ascending ? "later" : "earlier";
  const earlier = page.ascending ? "earlier" : "later";
  const readAscending = page.ascending !== page.fromEnd;
  const order = readAscending ? asc : desc;
  return {
    where: and(
      page.after === null ? undefined : beyond(keyset, page.after, later),
      page.before === null ? undefined : beyond(keyset, page.before, earlier),
    ),
    orderBy: [order(keyset.at), order(keyset.id)],
    limit: page.limit + 1,
  };
}

export function toPage<Row>(rows: readonly Row[], page: PageRequest): Page<Row> {
  const more = rows.length > page.limit;
  const kept = rows.slice(0, page.limit);
  if (page.fromEnd) return { rows: kept.toReversed(), hasPreviousPage: more, hasNextPage: page.before !== null };
  return { rows: kept, hasNextPage: more, hasPreviousPage: page.after !== null };
}
