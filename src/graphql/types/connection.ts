/** Relay connections: the one maker of their types, and the values behind them. Which rows make a page is the store's to say. */
import type { ObjectRef } from "@pothos/core";
import { builder } from "../builder.ts";

export interface Edge<Row> {
  readonly cursor: string;
  readonly node: Row;
}

export interface Connection<Row> {
  readonly edges: readonly Edge<Row>[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** Called only when the count is asked for. */
  readonly count: () => Promise<number | null>;
}

type Types = typeof builder.$inferSchemaTypes;

const PageInfoRef = builder.objectRef<Connection<unknown>>("PageInfo").implement({
  fields: (t) => ({
    hasNextPage: t.exposeBoolean("hasNextPage"),
    hasPreviousPage: t.exposeBoolean("hasPreviousPage"),
    startCursor: t.string({ nullable: true, resolve: ({ edges }) => edges.at(0)?.cursor ?? null }),
    endCursor: t.string({ nullable: true, resolve: ({ edges }) => edges.at(-1)?.cursor ?? null }),
  }),
});

/**
 * The types `XConnection` and `XEdge` of a node type. Pothos cannot tell what a generic node's value looks like, so the
 * fields are declared over any object, and the answer is given back its type.
 */
export function connectionOf<Row extends object>(
  name: string,
  node: ObjectRef<Types, Row>,
  options: { readonly counted: boolean },
): ObjectRef<Types, Connection<Row>> {
  const nodeType = node as unknown as ObjectRef<Types, object>;
  const edgeType = builder.objectRef<Edge<object>>(`${name}Edge`).implement({
    fields: (t) => ({
      cursor: t.exposeString("cursor"),
      node: t.field({ type: nodeType, resolve: (edge) => edge.node }),
    }),
  });
  const connectionType = builder.objectRef<Connection<object>>(`${name}Connection`).implement({
    fields: (t) => ({
      edges: t.field({ type: [edgeType], resolve: ({ edges }) => edges }),
      nodes: t.field({ type: [nodeType], resolve: ({ edges }) => edges.map((edge) => edge.node) }),
      pageInfo: t.field({ type: PageInfoRef, resolve: (connection) => connection }),
      ...(options.counted && {
        totalCount: t.int({
          nullable: true,
          description: "Counted only when asked for, and only up to 10,000; null when there are more.",
          resolve: ({ count }) => count(),
        }),
      }),
    }),
  });
  return connectionType as unknown as ObjectRef<Types, Connection<Row>>;
}
