/** Writes what bench:live has seen as Markdown, with the ratios within the run. It judges nothing. */
import { percentile } from "../open-bench-database.ts";
import type { WaySeen } from "./creation-ways.ts";
import { type Delivery, type GoalSeen, type Span, spans } from "./goal.ts";
import type { LatencySeen } from "./latency.ts";

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const whole = (value: number) => Math.round(value).toLocaleString("en-US");
const fixed = (value: number, digits: number) => value.toFixed(digits);
const kib = (bytes: number) => fixed(bytes / 1_024, 1);

/** Fewer would be told apart by what else happens in a process. */
const leastForMemory = 1_000;

export function latencyTable(seen: readonly LatencySeen[]): string {
  const rows = seen.map((one) => {
    const { transport, shape, subscribers, committer } = one.round;
    const single = seen.find((other) => {
      const { round } = other;
      return round.subscribers === 1 && round.transport === transport && round.shape === shape;
    });
    const isMany = subscribers >= leastForMemory;
    return [
      transport,
      committer === "server" ? `${shape}, the server commits` : shape,
      whole(subscribers),
      whole(one.connections),
      whole(one.changes),
      whole(one.frames),
      fixed(one.p50Ms, 1),
      fixed(one.p99Ms, 1),
      single === undefined ? "" : fixed(one.p50Ms / single.p50Ms, 1),
      whole(one.cpuMsPerFrame * 1_000),
      isMany ? fixed((one.idleCpuMsPerSecond * 1_000) / subscribers, 1) : "",
      isMany ? kib(one.rssBytesEach) : "",
      isMany ? kib(one.heapBytesEach) : "",
    ];
  });
  const head = ["transport", "followed", "subscribers", "connections", "changes", "frames", "p50 ms", "p99 ms"];
  return table(
    [...head, "p50 / that of one", "CPU µs a frame", "idle CPU µs/s each", "RSS KiB each", "heap KiB each"],
    rows,
  );
}

function deliveryRow(name: string, { changesPerSecond, frames, p50Ms, p99Ms }: Delivery): string[] {
  return [name, whole(changesPerSecond), whole(frames), fixed(p50Ms, 1), fixed(p99Ms, 1)];
}

const spanNames: Readonly<Record<Span, string>> = {
  still: "no changes, no subscribers",
  followed: "no changes, subscribers",
  changing: "changes, no subscribers",
  delivered: "changes, subscribers",
};

export function goalTables({ alone, cpuShare, cpuShareUnfollowed, besideCreation, creations }: GoalSeen): string {
  const median = (span: Span) => percentile(creations[span], 0.5);
  /** Of neighbours in time, so that a slow spell falls on both. */
  const ratios = creations.delivered.map((rate, cycle) => rate / (creations.changing[cycle] ?? Number.NaN));
  const delivery = table(
    ["delivery", "changes/s", "frames", "p50 ms", "p99 ms"],
    [deliveryRow("nobody creates jobs", alone), deliveryRow("beside creation at full rate", besideCreation)],
  );
  const creation = table(
    ["creation beside", "jobs/s", "ratio"],
    spans.map((span) => [spanNames[span], whole(median(span)), fixed(median(span) / median("still"), 2)]),
  );
  const percent = (share: number) => fixed(share * 100, 1);
  const cpu = `The server takes ${percent(cpuShare)} % of a core for the changes and their delivery, ${percent(cpuShareUnfollowed)} % for the same changes that nobody follows.`;
  const shown = ratios.map((ratio) => fixed(ratio, 2)).join(", ");
  return `${delivery}\n\n${cpu}\n\n${creation}\n\nCreation with delivery to that without, both beside changes: ${fixed(percentile(ratios, 0.5), 3)} (each cycle: ${shown}).`;
}

export function waysTable(seen: readonly WaySeen[]): string {
  return table(
    ["creation through the store's statement", "jobs/s", "ratio to no notification"],
    seen.map(({ name, perSecond, ratio }) => [name, whole(perSecond), fixed(ratio, 2)]),
  );
}
