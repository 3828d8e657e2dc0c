/** The program of a server that says what it holds in memory, when asked by the process that started it. It serves as any other. */
import { startServer } from "../../src/server/compose.ts";
import { apiConfig } from "./api-config.ts";

export interface Measured {
  /** What is left after collecting garbage: the heap, and buffers outside of it. */
  readonly bytes: number;
  readonly followers: number;
  readonly subscriptions: number;
  readonly sockets: number;
}

const [databaseUrl = "", answerBytes = ""] = process.argv.slice(2);
const config = { ...apiConfig, limits: { answerBytes: Number(answerBytes) } };
const server = await startServer({ config, port: 0, databaseUrl });
const { counts, url } = server;

process.on("message", (question) => {
  if (question === "stop") return void server.stop().then(() => process.exit());
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const measured: Measured = {
    bytes: heapUsed + external,
    followers: server.followerCount(),
    subscriptions: counts.subscriptions.total,
    sockets: counts.sockets.total,
  };
  return void process.send?.(measured);
});
process.send?.({ url });
