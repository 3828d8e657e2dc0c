/** A page of one job's attempts, cut from all of them: a job has few, and they are mostly read already. */
import type { Attempt } from "../../domain/job.ts";
import { encodeId } from "../../store/ids.ts";
import { maxCounted } from "../../store/pages.ts";
import { numberAt, numberCursor } from "../cursors.ts";
import { type PageArguments, sizeOf } from "../page-size.ts";
import type { Connection } from "./connection.ts";

const list = "attempts-of-job";

export function attemptsConnection(
  jobId: string,
  attempts: readonly Attempt[],
  page: PageArguments,
): Connection<Attempt> {
  const parent = encodeId("job", jobId);
  const { limit, fromEnd } = sizeOf(page);
  const after = typeof page.after === "string" ? numberAt(list, parent, page.after) : 0;
  const before = typeof page.before === "string" ? numberAt(list, parent, page.before) : Number.POSITIVE_INFINITY;
  const between = attempts.filter(({ number }) => number > after && number < before);
  const rows = fromEnd ? between.slice(Math.max(0, between.length - limit)) : between.slice(0, limit);
  const isCut = rows.length < between.length;
  return {
    edges: rows.map((node) => ({ node, cursor: numberCursor(list, parent, node.number) })),
    hasNextPage: fromEnd
      ? attempts.some(({ number }) => number >= before)
      : isCut || attempts.some(({ number }) => number >= before),
    hasPreviousPage: fromEnd
      ? isCut || attempts.some(({ number }) => number <= after)
      : attempts.some(({ number }) => number <= after),
    count: async () => (attempts.length > maxCounted ? null : attempts.length),
  };
}
