/** Hears that the demo shall end: Ctrl-C, a signal, or nobody who reads any more. It ends nothing itself. */
import { constants } from "node:os";

export interface Interruption {
  /** What the process should exit with; null as long as nothing has come. */
  readonly exitCode: number | null;
  /** Resolves when it has come. */
  readonly comes: Promise<void>;
}

/** Ctrl-C may come twice, from the terminal and from npm, and stopping has limits of its own: only the first is heard. */
export function hearSignals(onInterruption: () => void): Interruption {
  let exitCode: number | null = null;
  const comes = new Promise<void>((resolve) => {
    const hear = (code: number) => {
      if (exitCode !== null) return;
      exitCode = code;
      onInterruption();
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.on(signal, () => hear(128 + constants.signals[signal]));
    // The reader has gone, as after `| head`.
    process.stdout.on("error", () => hear(1));
  });
  return {
    comes,
    get exitCode() {
      return exitCode;
    },
  };
}
