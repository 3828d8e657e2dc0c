/** How names are shown in messages to callers. */

/** A name as a caller wrote it, fit to be shown in a message. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name.toWellFormed());
}

/** A configuration may have hundreds of names: nobody reads them all in a message. */
const maxListed = 20;

export function listed(names: Iterable<string>): string {
  const all = [...names];
  if (all.length === 0) return "none";
  const shown = all.slice(0, maxListed).map(quoted).join(", ");
  return all.length <= maxListed ? shown : `${shown} and ${all.length - maxListed} more`;
}
