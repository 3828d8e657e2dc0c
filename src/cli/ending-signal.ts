/** The signals that ask a program to end: the first is heard, the second ends it at once. It stops nothing itself. */
import { constants } from "node:os";

const signals = ["SIGINT", "SIGTERM"] as const;
type EndingSignal = (typeof signals)[number];

/** One press of Ctrl-C may arrive twice: from the terminal, and from the npm that runs the program. */
const samePressMs = 500;

export interface Ending {
  /** Resolves with the first signal after the call. One that comes before ends the program, since there is nothing to stop yet. */
  once(): Promise<EndingSignal>;
}

export function endingSignal(): Ending {
  let hear = (signal: EndingSignal): void => process.exit(128 + constants.signals[signal]);
  for (const signal of signals) process.on(signal, () => hear(signal));
  return {
    once: () =>
      new Promise((resolve) => {
        hear = (signal) => {
          hear = () => {};
          const endAtOnce = () => {
            hear = () => process.exit(130);
          };
          setTimeout(endAtOnce, samePressMs).unref();
          resolve(signal);
        };
      }),
  };
}
