/**
 * The second line behind I11: whatever a read for one owner has brought is looked at once more before it is handed out. The
 * first line is the condition in each query; this one finds that it was forgotten or is wrong, and mends nothing.
 */
import type { Scope } from "../commands.ts";

/**
 * Gives the rows back as they are; throws if one is not the owner's: our fault and nobody's answer, so that callers see it
 * masked, and the log tells. With the scope null there is nothing to hold them to.
 */
export function ofOwner<Row extends { readonly ownerId: string }>(
  scope: Scope | undefined,
  rows: readonly Row[],
): readonly Row[] {
  if (scope === null || scope === undefined) return rows;
  const foreign = rows.filter((row) => row.ownerId !== scope).length;
  if (foreign === 0) return rows;
  throw new Error(
    `A read for one owner brought ${foreign} of ${rows.length} rows of others, and none was handed out: its query lacks the owner's condition.`,
  );
}
