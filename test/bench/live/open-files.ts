/** How many files a process of the benchmark may have open, and whether a round does with them. It raises no limit. */
import type { LatencyRound } from "./latency.ts";

/** What a process has open beside its subscribers' connections, with room to spare. */
const besides = 200;

const { open_files: limit } = (
  process.report.getReport() as { userLimits: { open_files: { soft: number | "unlimited" } } }
).userLimits;

/** Node has raised it as far as the system lets it. */
export const openFiles: number = limit.soft === "unlimited" ? Number.POSITIVE_INFINITY : limit.soft;

/** Over Server-Sent Events server and clients have a connection each for every subscriber. */
export function fitsOpenFiles({ transport, subscribers }: Pick<LatencyRound, "transport" | "subscribers">): boolean {
  return transport !== "SSE" || subscribers + besides <= openFiles;
}
