/** A server's log kept in memory, for tests that say what must not stand in it. */
import { createLog, type ServerLog } from "../../src/server/log.ts";

export interface CapturedLog {
  readonly log: ServerLog;
  /** Throws if there was a warning or an error since the last time: what callers get wrong is no fault of the server's. */
  expectSilence(): void;
}

export function captureLog(): CapturedLog {
  const lines: string[] = [];
  return {
    log: createLog({ level: "warn", format: "json", write: (line) => void lines.push(line) }),
    expectSilence() {
      const said = lines.splice(0);
      if (said.length > 0) throw new Error(`The server's log was to be silent, and says:\n${said.join("")}`);
    },
  };
}
