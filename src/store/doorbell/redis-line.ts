/** One connection to Redis that publishes on a channel and hears it, until it breaks. It is never mended: a new one takes its place. */
import { isIP } from "node:net";
import { createClient } from "@redis/client";

export interface RedisLine {
  /** Rejects at once when the connection is broken, or takes nothing more. */
  publish(text: string): Promise<unknown>;
  /** Tears it down, with what is under way. */
  cut(): void;
}

export interface LineOptions {
  readonly url: string;
  readonly channel: string;
  /** What may pass until it hears the channel. */
  readonly patienceMs: number;
  /** Gives up while it opens. */
  readonly signal: AbortSignal;
  readonly onMessage: (text: string) => void;
  /** It broke; never called while it opens, nor after `cut`. */
  readonly onEnd: (error: unknown) => void;
}

/** Publications that wait for their answer: of a connection that swallows them, no more than so many pile up. */
const mostWaiting = 1_000;

/** By the protocol's third version one connection both publishes and subscribes: when it breaks, it breaks for both. */
function newClient({ url, patienceMs }: LineOptions, signal: AbortSignal) {
  const { hostname, protocol } = new URL(url);
  const socket = { connectTimeout: patienceMs, reconnectStrategy: false, signal } as const;
  return createClient({
    url,
    socket: protocol === "rediss:" && isIP(hostname) === 0 ? { ...socket, tls: true, servername: hostname } : socket,
    name: "onejob",
    RESP: 3,
    maintNotifications: "disabled",
    disableOfflineQueue: true,
    commandsQueueMaxLength: mostWaiting,
    // The line's own heartbeat says when it is broken; a timer for each publication would cost more than that.
    commandOptions: { timeout: 0 },
  });
}

/** Rejects where Redis cannot be reached, lets nobody in, does not answer in time, or once the signal is aborted. */
export async function openRedisLine(options: LineOptions): Promise<RedisLine> {
  const ending = new AbortController();
  const client = newClient(options, ending.signal);
  let isOpen = false;
  const cut = (): void => {
    isOpen = false;
    client.destroy();
    // A socket that is still connecting is not the client's yet.
    ending.abort();
    client.on("connect", () => client.destroy());
  };
  let giveUp: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => (giveUp = reject));
  const late = setTimeout(() => giveUp(new Error(`no answer within ${options.patienceMs} ms`)), options.patienceMs);
  const abort = (): void => giveUp(options.signal.reason);
  options.signal.addEventListener("abort", abort, { once: true });
  // Without a listener the first fault of the connection would end the process.
  client.on("error", (error: unknown) => {
    giveUp(error);
    if (!isOpen) return;
    cut();
    options.onEnd(error);
  });
  try {
    const opened = client.connect().then(() => client.subscribe(options.channel, options.onMessage));
    await Promise.race([opened, failed]);
  } catch (error) {
    cut();
    throw error;
  } finally {
    clearTimeout(late);
    options.signal.removeEventListener("abort", abort);
    failed.catch(() => {});
  }
  isOpen = true;
  return { publish: (text) => client.publish(options.channel, text), cut };
}
