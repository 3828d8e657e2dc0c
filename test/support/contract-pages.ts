/** The tests that every list of the contract has alike: its connection, its edges, and the arguments that cut pages. */
import { expect } from "vitest";
import type { Keep } from "./contract-promises.ts";

export interface PageSeen {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly nodes: readonly { readonly id: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

export const pageSelection =
  "{ edges { cursor node { id } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }";

/** Asks for a page, with arguments such as "first: 2"; the list has at least four entries, and stays as it is meanwhile. */
type AskPage = (given: string) => Promise<PageSeen>;

const idsOf = ({ edges }: PageSeen) => edges.map(({ node }) => node.id);

export function promisePages(promise: Keep, field: string, ask: AskPage): void {
  const whole = async () => {
    const page = await ask("first: 100");
    expect(page.edges.length).toBeGreaterThanOrEqual(4);
    return { ids: idsOf(page), cursor: (index: number) => page.edges[index]!.cursor };
  };

  promise(`${field}(first:)`, "takes so many from the front", async () => {
    expect(idsOf(await ask("first: 2"))).toEqual((await whole()).ids.slice(0, 2));
  });

  promise(`${field}(last:)`, "takes so many from the end, in the same order", async () => {
    expect(idsOf(await ask("last: 2"))).toEqual((await whole()).ids.slice(-2));
  });

  promise(`${field}(after:)`, "goes on behind a cursor", async () => {
    const { ids, cursor } = await whole();
    expect(idsOf(await ask(`first: 2, after: "${cursor(1)}"`))).toEqual(ids.slice(2, 4));
  });

  promise(`${field}(before:)`, "goes back from a cursor", async () => {
    const { ids, cursor } = await whole();
    expect(idsOf(await ask(`last: 2, before: "${cursor(3)}"`))).toEqual(ids.slice(1, 3));
  });
}

export function promiseConnection(promise: Keep, node: string, ask: AskPage): void {
  promise(`${node}Connection.edges`, "are the entries of the page", async () => {
    expect((await ask("first: 3")).edges).toHaveLength(3);
  });

  promise(`${node}Connection.nodes`, "are the edges' nodes", async () => {
    const { edges, nodes } = await ask("first: 3");
    expect(nodes).toEqual(edges.map((edge) => edge.node));
  });

  promise(`${node}Connection.pageInfo`, "says how the page lies in the list", async () => {
    const { edges, pageInfo } = await ask("first: 3");
    expect(pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: edges[0]?.cursor,
      endCursor: edges[2]?.cursor,
    });
  });

  promise(`${node}Edge.cursor`, "is the place behind which a page goes on", async () => {
    const { edges } = await ask("first: 3");
    expect(idsOf(await ask(`first: 2, after: "${edges[0]?.cursor}"`))).toEqual(idsOf(await ask("first: 3")).slice(1));
  });

  promise(`${node}Edge.node`, "is another one in each edge", async () => {
    expect(new Set(idsOf(await ask("first: 4"))).size).toBe(4);
  });
}
