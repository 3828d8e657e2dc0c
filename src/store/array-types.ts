/**
 * How the client writes arrays as parameters, and reads those of texts. postgres.js would ask each new connection for the
 * server's array types, in a query whose failure nobody can catch: a connection cut at that moment would end the process.
 */
import { parsePgArray } from "drizzle-orm/pg-core";
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

/** Drizzle leaves arrays of texts in results to the client, which would hand them on as PostgreSQL writes them: `{a,b}`. */
const typeOf = (oid: number): postgres.PostgresType => ({
  to: oid,
  from: oid === arrayTypes.text ? [oid] : [],
  serialize: writeArray,
  parse: (text: string) => parsePgArray(text) as unknown[],
});

export const withoutTypeQuery = {
  fetch_types: false,
  types: Object.fromEntries(Object.entries(arrayTypes).map(([name, oid]) => [`${name}Array`, typeOf(oid)])),
};
