/** The GraphQL endpoint's WebSockets: takes upgrades, and closes what is open when the server stops. */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { handleProtocols } from "graphql-ws";
import { WebSocketServer } from "ws";
import { settlesWithin } from "../../runtime/clock.ts";
import { comesFromThisMachine } from "../loopback.ts";
import { createProtocol, type ProtocolOptions } from "./create-protocol.ts";
import { serveSocket } from "./serve-socket.ts";

/** For the closing handshake of a client that may be gone. */
const closeTimeoutMs = 1_000;
const goingAway = 1001;

export interface Sockets {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every connection with 1001, "going away". */
  close(): Promise<void>;
}

export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

export function openSockets(options: ProtocolOptions): Sockets {
  const { authenticator, limits, log } = options;
  const protocol = createProtocol(options);
  const server = new WebSocketServer({ noServer: true, maxPayload: limits.bodyBytes, handleProtocols });

  return {
    handleUpgrade(request, socket, head) {
      if (authenticator.isOpen && !comesFromThisMachine(request)) refuseUpgrade(socket, "403 Forbidden");
      else server.handleUpgrade(request, socket, head, (opened) => serveSocket(protocol, opened, log));
    },
    async close() {
      const open = [...server.clients];
      const closing = Promise.all(open.map((client) => once(client, "close")));
      for (const client of open) client.close(goingAway, "Going away");
      if (!(await settlesWithin(closing, closeTimeoutMs))) for (const client of open) client.terminate();
      server.close();
    },
  };
}
