/** Cursors: where in which list a page begins or ends, as opaque text. They hold a position, never a right to see something. */

import { decodeId, encodeId, type RowKind } from "../store/ids.ts";
import type { Position } from "../store/pages.ts";
import { badUserInput } from "./errors.ts";
import { parseInstant } from "./parse-instant.ts";

function encode(...parts: readonly string[]): string {
  return Buffer.from(parts.join(" ")).toString("base64url");
}

/** The parts of a cursor of the named list. Whatever is not one is refused, before any of it could reach a statement. */
function decode(list: string, cursor: string): string[] {
  const [name, ...parts] = Buffer.from(cursor, "base64url").toString().split(" ");
  // Decoding skips what it cannot read: only the text that encodes back is a cursor.
  if (name !== list || parts.length === 0 || encode(name, ...parts) !== cursor) throw foreignCursor(cursor);
  return parts;
}

function foreignCursor(cursor: string): Error {
  const shown = JSON.stringify(cursor.slice(0, 100));
  return badUserInput(`${shown} is not a cursor of this list: take one from its edges or its pageInfo.`);
}

/** A place in a list that is sorted by an instant and an id; the list's name keeps the cursors of two lists apart. */
export function positionCursor(list: string, kind: RowKind, { at, id }: Position): string {
  return encode(list, at.toISOString(), encodeId(kind, id));
}

export function positionAt(list: string, kind: RowKind, cursor: string): Position {
  const [at, id] = decode(list, cursor);
  const position = { at: parseInstant(at ?? ""), id: decodeId(kind, id ?? "") };
  if (position.at === null || position.id === null) throw foreignCursor(cursor);
  return { at: position.at, id: position.id };
}

/** A place in a list that is counted 1, 2, 3 … within its parent. */
export function numberCursor(list: string, parentId: string, number: number): string {
  return encode(list, parentId, String(number));
}

export function numberAt(list: string, parentId: string, cursor: string): number {
  const [parent, number] = decode(list, cursor);
  if (parent !== parentId || !/^[1-9]\d{0,9}$/.test(number ?? "")) throw foreignCursor(cursor);
  return Number(number);
}
