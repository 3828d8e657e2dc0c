/** A page of a list that the store sorts by an instant and an id, as a connection. */

import type { RowKind } from "../../store/ids.ts";
import type { Page, PageRequest, Position } from "../../store/pages.ts";
import { positionAt, positionCursor } from "../cursors.ts";
import { type PageArguments, sizeOf } from "../page-size.ts";
import type { Connection } from "../types/connection.ts";

/** A list: its name, which its cursors carry, and where a row stands in it. */
export interface SortedList<Row> {
  readonly name: string;
  readonly kind: RowKind;
  instantOf(row: Row): Date;
}

export interface ListReads<Row> {
  page(request: PageRequest): Promise<Page<Row>>;
  count(): Promise<number | null>;
}

/** Newest first, unless `ascending`. */
export async function pageOf<Row extends { readonly id: string }>(
  list: SortedList<Row>,
  asked: PageArguments,
  ascending: boolean,
  reads: ListReads<Row>,
): Promise<Connection<Row>> {
  const position = (cursor: string | null | undefined): Position | null =>
    typeof cursor === "string" ? positionAt(list.name, list.kind, cursor) : null;
  const page = await reads.page({
    ...sizeOf(asked),
    after: position(asked.after),
    before: position(asked.before),
    ascending,
  });
  return {
    edges: page.rows.map((node) => ({
      node,
      cursor: positionCursor(list.name, list.kind, { at: list.instantOf(node), id: node.id }),
    })),
    hasNextPage: page.hasNextPage,
    hasPreviousPage: page.hasPreviousPage,
    count: () => reads.count(),
  };
}
