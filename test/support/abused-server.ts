/** A server that is about to be abused: its log is kept at the lowest level, and whoever behaves must go on being served. */
import { randomUUID } from "node:crypto";
import { createLog } from "../../src/server/log.ts";
import { type ApiServer, type ApiServerOptions, startApiServer } from "./api-server.ts";

export interface AbusedServer extends ApiServer {
  /** Every line of the log so far, the least important too. */
  readonly lines: readonly string[];
  /** Throws unless the server lives, serves its owners and has nothing to complain about. */
  expectUnharmed(): Promise<void>;
}

function levelOf(line: string): string {
  return (JSON.parse(line) as { level: string }).level;
}

export async function startAbusedServer(options: ApiServerOptions = {}): Promise<AbusedServer> {
  const lines: string[] = [];
  const log = createLog({ level: "debug", format: "json", write: (line) => void lines.push(line) });
  const server = await startApiServer({ log, ...options });
  return {
    ...server,
    lines,
    async expectUnharmed() {
      const ready = await fetch(`${server.url}/health/ready`);
      const input = { text: "Menu" };
      const answer = await server.ann.create({ idempotencyKey: randomUUID(), operation: "print", input });
      const complaints = lines.filter((line) => ["warn", "error"].includes(levelOf(line)));
      if (ready.status !== 200 || answer.created !== true || complaints.length > 0)
        throw new Error(`It was harmed: ${ready.status}, ${JSON.stringify(answer)}, ${complaints.join("")}`);
    },
  };
}
