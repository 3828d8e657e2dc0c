/** The one mapping between the API's ids and the store's: TypeIDs over UUIDs, and names behind a prefix. It looks nothing up. */
import { TypeID } from "typeid-js";

/** Things of the store: the id is the prefix, an underscore and the UUID in 26 characters of Crockford's base 32. */
const rowKinds = ["job", "att", "cert", "audit"] as const;
export type RowKind = (typeof rowKinds)[number];

/** Things of the configuration: the id is the prefix, an underscore and the name. */
const nameKinds = ["op", "prov"] as const;
export type NameKind = (typeof nameKinds)[number];

/** 26 characters of 5 bits are 130 bits: the first one may use only three of its own, or two ids would name one UUID. */
const suffixPattern = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;

/** A fresh UUID v7: they sort by the millisecond in which they were made. */
export function newId(): string {
  return new TypeID("").toUUID();
}

export function encodeId(kind: RowKind, uuid: string): string {
  return TypeID.fromUUID(kind, uuid).toString();
}

/** The UUID behind an id, or null for whatever is not exactly an id of this kind. It never throws. */
export function decodeId(kind: RowKind, id: string): string | null {
  const prefix = `${kind}_`;
  if (!id.startsWith(prefix)) return null;
  const suffix = id.slice(prefix.length);
  if (!suffixPattern.test(suffix)) return null;
  try {
    return new TypeID(kind, suffix).toUUID();
  } catch {
    // 128 bits that no version of UUID has: it never was anybody's id.
    return null;
  }
}

export function encodeName(kind: NameKind, name: string): string {
  return `${kind}_${name}`;
}

/** The name behind an id, or null for an id of another kind. Whether the configuration knows the name is not judged. */
export function decodeName(kind: NameKind, id: string): string | null {
  const prefix = `${kind}_`;
  return id.startsWith(prefix) && id.length > prefix.length ? id.slice(prefix.length) : null;
}

/** What an id says that it names; null where the prefix is none of ours. */
export function kindOf(id: string): RowKind | NameKind | null {
  const prefix = id.slice(0, Math.max(0, id.indexOf("_")));
  return [...rowKinds, ...nameKinds].find((kind) => kind === prefix) ?? null;
}
