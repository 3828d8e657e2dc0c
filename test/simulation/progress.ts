/** A bar on one line that shows how far a run has come. Where nobody looks at a terminal it stays silent. */
import type { Tally } from "./run-seed.ts";

export interface Progress {
  advance(tally?: Tally): void;
  close(): void;
}

const width = 30;

export function openProgress(total: number, out: NodeJS.WriteStream = process.stderr): Progress {
  let done = 0;
  const startedMs = performance.now();
  const draw = (tally?: Tally): void => {
    if (!out.isTTY) return;
    const filled = Math.round((width * done) / total);
    const rate =
      tally === undefined ? "" : `  ${Math.round((tally.steps * 1_000) / (performance.now() - startedMs))} steps/s`;
    out.write(`\r[${"█".repeat(filled)}${"░".repeat(width - filled)}] ${done}/${total}${rate}\u001b[K`);
  };
  draw();
  return {
    advance(tally) {
      done += 1;
      draw(tally);
    },
    close() {
      if (out.isTTY) out.write("\r\u001b[K");
    },
  };
}
