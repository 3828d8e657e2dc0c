/** How names are shown in messages to callers. */

/** A name as a caller wrote it, fit to be shown in a message. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name.toWellFormed());
}

export function listed(names: Iterable<string>): string {
  const all = [...names];
  return all.length === 0 ? "none" : all.map(quoted).join(", ");
}
