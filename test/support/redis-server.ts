/** A Redis of the test's own, on a free port of this machine: started, killed, started again. It keeps nothing on disk. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { createClient } from "@redis/client";
import { waitUntil } from "./wait-until.ts";

export interface RedisServer {
  readonly url: string;
  /** A command of the test's own, over a connection of its own. */
  command(...words: readonly string[]): Promise<unknown>;
  /** At once, as a crash does. */
  kill(): Promise<void>;
  /** On the same port, with nothing in it. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** `settings` as in its configuration file; `isAway` leaves the first start to the test. */
export async function startRedis(
  settings: Readonly<Record<string, string>> = {},
  isAway = false,
): Promise<RedisServer> {
  const port = await freePort();
  const password = settings.requirepass;
  const url = `redis://${password === undefined ? "" : `:${password}@`}127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  const leaveNone = () => void child?.kill("SIGKILL");
  process.once("exit", leaveNone);

  async function command(...words: readonly string[]): Promise<unknown> {
    const client = createClient({ url, socket: { reconnectStrategy: false } });
    client.on("error", () => {});
    try {
      await client.connect();
      return await client.sendCommand([...words]);
    } finally {
      client.destroy();
    }
  }

  async function start(): Promise<void> {
    const all = { port: String(port), bind: "127.0.0.1", save: "", dir: tmpdir(), ...settings };
    const flags = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
    child = spawn("redis-server", flags, { stdio: "ignore" });
    await waitUntil("Redis answers", () => command("PING").catch(() => null));
  }

  async function kill(): Promise<void> {
    const ending = child;
    child = null;
    if (ending === null || ending.exitCode !== null) return;
    ending.kill("SIGKILL");
    await once(ending, "exit");
  }

  if (!isAway) await start();
  return {
    url,
    command,
    kill,
    start,
    async stop() {
      await kill();
      process.off("exit", leaveNone);
    },
  };
}
