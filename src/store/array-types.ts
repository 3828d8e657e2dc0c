/**
 * How the client writes arrays as parameters. postgres.js would ask each new connection for the server's array types, in a
 * query whose failure nobody can catch: a connection cut at that moment would end the process.
 */
import type postgres from "postgres";

/** By PostgreSQL's fixed object ids: the element types that statements pass in arrays. */
const arrayTypes = { int2: 1005, int4: 1007, text: 1009, uuid: 2951 } as const;

type Element = string | number | null;

function quote(element: Element): string {
  return element === null ? "NULL" : `"${String(element).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function writeArray(elements: readonly Element[]): string {
  return `{${elements.map(quote).join(",")}}`;
}

/** Arrays in results are left as PostgreSQL writes them: Drizzle reads them itself, and the other statements select JSON. */
const typeOf = (oid: number): postgres.PostgresType => ({
  to: oid,
  from: [],
  serialize: writeArray,
  parse: (text: string) => text,
});

export const withoutTypeQuery = {
  fetch_types: false,
  types: Object.fromEntries(Object.entries(arrayTypes).map(([name, oid]) => [`${name}Array`, typeOf(oid)])),
};
