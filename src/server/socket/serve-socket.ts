/** Carries the protocol over one open WebSocket, and finds out when nobody is at its other end any more. It knows no GraphQL. */
import { CloseCode } from "graphql-ws";
import type { WebSocket } from "ws";
import type { ServerLog } from "../log.ts";
import type { Protocol } from "./create-protocol.ts";

/** A client that has not answered a ping when the next is due has gone. */
const pingIntervalMs = 12_000;

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

/** Resolves when the message has left, so that a slow reader slows what is read for it. */
function send(socket: WebSocket, message: string): Promise<void> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve();
  return new Promise((resolve, reject) => socket.send(message, (error) => (error ? reject(error) : resolve())));
}

export function serveSocket(protocol: Protocol, socket: WebSocket, log: ServerLog): void {
  const stopWatching = watchPulse(socket);
  const fail = (error: unknown) => {
    log.error("socket-message-failed", { error });
    socket.close(CloseCode.InternalServerError, "Internal server error");
  };
  const close = (code?: number, reason?: string) => socket.close(code, reason);
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (message) => send(socket, message),
      close,
      onMessage(handle) {
        socket.on("message", (data: Buffer) => void handle(data.toString()).catch(fail));
      },
    },
    { gone: new AbortController(), viewer: null, close },
  );
  // A broken frame, a message over the limit, a reset: the client's fault or the network's, and "close" follows.
  socket.on("error", (error) => log.debug("socket-failed", { error }));
  socket.once("close", (code, reason) => {
    stopWatching();
    void closed(code, reason.toString()).catch((error: unknown) => log.error("socket-close-failed", { error }));
  });
}
