/** A server's log kept in memory, for tests that say what must not stand in it. */
import type { LogLevel } from "../../src/server/config/definitions.ts";
import { createLog, type ServerLog } from "../../src/server/log.ts";

export interface CapturedLog {
  readonly log: ServerLog;
  /** All that was written since the last time that silence was expected. */
  text(): string;
  /** Throws if there was a warning or an error since the last time: what callers get wrong is no fault of the server's. */
  expectSilence(): void;
}

export function captureLog(level: LogLevel = "warn"): CapturedLog {
  const lines: string[] = [];
  return {
    log: createLog({ level, format: "json", write: (line) => void lines.push(line) }),
    text: () => lines.join(""),
    expectSilence() {
      const said = lines.splice(0);
      if (said.length > 0) throw new Error(`The server's log was to be silent, and says:\n${said.join("")}`);
    },
  };
}
