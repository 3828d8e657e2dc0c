/** The query certifications: a page of the runs on record, newest first, for every caller. The runs are put there by hand. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { documentOf, type Fields, refusalOf } from "../support/api-client.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { certify } from "../support/certify.ts";

interface Certifications {
  readonly certifications: {
    readonly edges: readonly { readonly node: { readonly providerName: string; readonly status: string } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

const ask = (variables: Fields = {}) => server.ann.ask<Certifications>(documentOf("certifications"), variables);

it("is an empty page where nothing was certified", async () => {
  const { certifications } = await ask();
  expect(certifications).toMatchObject({ edges: [], pageInfo: { hasNextPage: false, endCursor: null } });
});

it("pages newest first, and by operation and provider", async () => {
  for (const [seconds, provider] of ["inkjet", "laser", "plotter"].entries()) {
    const id = await certify(server.sql, { operation: "print", provider, status: "PASSED" });
    await server.sql`update certifications set started_at = started_at + ${seconds} * interval '1 second' where id = ${id}`;
  }
  const first = (await ask({ first: 2 })).certifications;
  expect(first.edges.map(({ node }) => node.providerName)).toEqual(["plotter", "laser"]);
  const rest = (await ask({ first: 2, after: first.pageInfo.endCursor })).certifications;
  expect(rest.edges.map(({ node }) => node.providerName)).toEqual(["inkjet"]);
  expect(rest.pageInfo.hasNextPage).toBe(false);
  expect((await ask({ provider: "laser", operation: "print" })).certifications.edges).toHaveLength(1);
  expect((await ask({ provider: "laser", operation: "other" })).certifications.edges).toEqual([]);
});

it("refuses pages of the wrong size, foreign cursors and names that cannot be", async () => {
  for (const variables of [{ first: 1_000 }, { after: "x" }, { provider: "\0" }, { operation: "\ud800" }]) {
    expect(await refusalOf(ask(variables)), JSON.stringify(variables)).toMatchObject({ code: "BAD_USER_INPUT" });
  }
});
