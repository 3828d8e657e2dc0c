/** Strict reading of RFC 3339 instants. It knows no time zones but offsets, and no clock. */

const pattern = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:([Zz])|([+-])(\d{2}):(\d{2}))$/;

const minuteMs = 60_000;

/** The instant, cut to milliseconds as the database keeps them; null for anything else, impossible dates among it. */
export function parseInstant(text: string): Date | null {
  const match = pattern.exec(text);
  if (match === null) return null;
  const part = (index: number) => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const [offsetHours, offsetMinutes] = [part(10), part(11)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return null;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  // A day that the month does not have rolls over into the next.
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return null;
  local.setUTCHours(hour, minute, second, Number((match[7] ?? "").slice(0, 3).padEnd(3, "0")));
  const offsetMs = (match[9] === "-" ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * minuteMs;
  const instant = new Date(local.getTime() - offsetMs);
  return instant.getUTCFullYear() < 1 || instant.getUTCFullYear() > 9999 ? null : instant;
}
