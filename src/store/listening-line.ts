/**
 * One connection that listens, from its opening until it is gone. It never comes back by itself: whoever keeps it opens
 * another one, so that there are never two. It judges nothing that it hears, and does not know whether it is still alive.
 */
import { connect, type Socket } from "node:net";
import postgres from "postgres";

export interface Line {
  /** Resolves when the connection is gone, whoever ended it. */
  readonly gone: Promise<void>;
  /** Ends it at once, also where the other end does not answer any more. */
  cut(): void;
}

export interface LineOptions {
  readonly url: string;
  /** The connection's name in pg_stat_activity. */
  readonly name: string;
  /** What is heard, by channel. */
  readonly channels: Readonly<Record<string, (payload: string) => void>>;
  /** How long it may take until all channels are listened to. */
  readonly openWithinMs: number;
  /** Breaks off the opening. */
  readonly signal: AbortSignal;
}

/** The code of the rejection when the time was up: the database may have a connection then, and not know that it is dead. */
export const noAnswer = "CONNECT_TIMEOUT";

interface Target {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | false;
}

function lineFault(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/**
 * The sockets of one line. The client's own would be out of reach: to end one it waits for the other end, for ever where that
 * has fallen silent, and one that was cut it opens anew by itself. Each host of the address gets one try, and later none.
 */
function openSockets() {
  const opened: Socket[] = [];
  let isOver = false;
  return {
    newest: () => opened.at(-1),
    open({ host, port, path }: Target): Socket {
      const [tries, index] = [opened.length, opened.length % host.length];
      if (isOver || tries >= host.length) throw lineFault("CONNECTION_CLOSED", "the connection was closed");
      const at = path === false ? { host: host[index] ?? "", port: port[index] ?? 0 } : { path };
      // The client's encryption reads the host's name here, to hold the certificate against it.
      const socket = Object.assign(connect(at), at);
      opened.push(socket);
      return socket;
    },
    noMore: () => void (isOver = true),
    destroy() {
      isOver = true;
      for (const socket of opened) socket.destroy();
    },
  };
}

/** Rejects when the database cannot be reached, refuses, or has not answered in time; nothing is left open then. */
export async function openLine({ url, name, channels, openWithinMs, signal }: LineOptions): Promise<Line> {
  const sockets = openSockets();
  let isCut = false;
  const options = {
    fetch_types: false,
    max: 1,
    onnotice: () => {},
    connection: { application_name: name },
    socket: (target: Target) => sockets.open(target),
  };
  const client = postgres(url, options);
  const cut = () => {
    isCut = true;
    // Not awaited, and it has nothing to say: it would wait for an answer that may never come.
    client.end({ timeout: 0 }).catch(() => {});
    sockets.destroy();
  };
  const isLate = () => lineFault(noAnswer, `the database did not answer within ${openWithinMs} ms`);
  const listening = (async () => {
    for (const [channel, hear] of Object.entries(channels)) {
      await client.listen(channel, (payload) => void (isCut || hear(payload)));
    }
  })();
  try {
    await within(listening, openWithinMs, signal, isLate);
  } catch (error) {
    cut();
    throw error;
  }
  sockets.noMore();
  const gone = new Promise<void>((resolve) => {
    const socket = sockets.newest();
    if (socket === undefined || socket.closed) resolve();
    else socket.once("close", () => resolve());
  });
  return { gone, cut };
}

/** The promise, or a rejection when the time is up or the signal is aborted. */
async function within(work: Promise<void>, ms: number, signal: AbortSignal, fault: () => Error): Promise<void> {
  let callOff = (): void => {};
  const over = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(fault()), ms);
    const abort = () => reject(lineFault("CONNECTION_ENDED", "the connection is not wanted any more"));
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    callOff = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
  });
  try {
    await Promise.race([work, over]);
  } finally {
    callOff();
  }
}
