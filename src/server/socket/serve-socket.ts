/** Carries the protocol over one open WebSocket, and finds out when nobody is at its other end any more. It knows no GraphQL. */
import { setMaxListeners } from "node:events";
import { CloseCode } from "graphql-ws";
import type { WebSocket } from "ws";
import type { LiveCounts } from "../live-counts.ts";
import type { ServerLog } from "../log.ts";
import type { Protocol } from "./create-protocol.ts";
import { SocketLoad } from "./socket-load.ts";

/** A client that has not answered a ping when the next is due has gone. */
const pingIntervalMs = 12_000;
/** "Policy violation", which clients do not try again. */
const unread = 1008;

function watchPulse(socket: WebSocket): () => void {
  let isAlive = true;
  socket.on("pong", () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) socket.terminate();
    isAlive = false;
    if (socket.readyState === socket.OPEN) socket.ping();
  }, pingIntervalMs);
  return () => clearInterval(timer);
}

function isCut(error: Error): boolean {
  return "code" in error && (error.code === "EPIPE" || error.code === "ECONNRESET");
}

/** Resolves when the message has left, so that a slow reader slows what is read for it. */
function write(socket: WebSocket, frame: (done: (error?: Error | null) => void) => void): Promise<void> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve();
  return new Promise((resolve, reject) =>
    frame((error) => {
      // What was on its way to a client that has gone is nobody's fault; the socket may not have noticed yet.
      if (error && socket.readyState === socket.OPEN && !isCut(error)) reject(error);
      else resolve();
    }),
  );
}

/** Whoever sends a message that only servers send: graphql-ws throws, and says so in no other way. */
function isClientsFault(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Unexpected message of type");
}

export interface ServeOptions {
  /** Of answers that a client has not read: beyond, its connection is cut, since a closing handshake would wait behind them. */
  readonly maxUnreadBytes: number;
  readonly counts: LiveCounts;
  readonly log: ServerLog;
}

export function serveSocket(
  protocol: Protocol,
  socket: WebSocket,
  { counts, log, maxUnreadBytes }: ServeOptions,
): void {
  const load = new SocketLoad(counts.sockets);
  const gone = new AbortController();
  // Every operation of the connection listens.
  setMaxListeners(0, gone.signal);
  const stopWatching = watchPulse(socket);
  const fail = (error: unknown) => {
    if (isClientsFault(error)) return socket.close(CloseCode.BadRequest, "Invalid message received");
    log.error("socket-message-failed", { error });
    socket.close(CloseCode.InternalServerError, "Internal server error");
  };
  const close = (code?: number, reason?: string) => socket.close(code, reason);
  const send = (message: string) => {
    if (socket.bufferedAmount > maxUnreadBytes) socket.terminate();
    return write(socket, (done) => socket.send(message, done));
  };
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send,
      close,
      onMessage(handle) {
        const take = (work: () => Promise<void>) => {
          if (load.hasTooManyMessages) socket.close(unread, "Read answers before sending more messages");
          else void load.carry(work).catch(fail);
        };
        socket.on("message", (data: Buffer) => take(() => handle(data.toString())));
        socket.on("ping", (data) => take(() => write(socket, (done) => socket.pong(data, false, done))));
      },
    },
    { gone, load, viewer: null, send, close },
  );
  // A broken frame, a message over the limit, a reset: the client's fault or the network's, and "close" follows.
  socket.on("error", (error) => log.debug("socket-failed", { error }));
  socket.once("close", (code, reason) => {
    stopWatching();
    void closed(code, reason.toString()).catch((error: unknown) => log.error("socket-close-failed", { error }));
  });
}
