/** Reads the W3C header traceparent: one that breaks the specification is as good as none. It starts no trace of its own. */

const known = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
/** A later version begins with the fields of this one; what follows them is not for us to understand. */
const later = /^(?!00|ff)[0-9a-f]{2}-(?<trace>[0-9a-f]{32})-(?<parent>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?:-|$)/;
/** Ids of nothing but zeros name nothing. */
const nameless = /^..-(?:0{32}-|.{32}-0{16}-)/;
const sampled = 0x01;

/** In the form of version 00, whichever it came in; null where there is none to go on with. */
export function readTraceparent(header: string | null): string | null {
  if (header === null || nameless.test(header)) return null;
  if (known.test(header)) return header;
  const fields = later.exec(header)?.groups;
  if (fields === undefined) return null;
  // Of a later version's flags, this version knows one.
  const flags = (Number.parseInt(fields["flags"] ?? "", 16) & sampled) === 0 ? "00" : "01";
  return `00-${fields["trace"]}-${fields["parent"]}-${flags}`;
}
