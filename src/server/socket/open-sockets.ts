/** The GraphQL endpoint's WebSockets: takes upgrades, and closes what is open when the server stops. */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { handleProtocols } from "graphql-ws";
import { WebSocketServer } from "ws";
import { settlesWithin } from "../../runtime/clock.ts";
import { mayOpenSocket } from "../http-cors.ts";
import type { LiveCounts } from "../live-counts.ts";
import { comesFromThisMachine } from "../loopback.ts";
import { createProtocol, type ProtocolOptions } from "./create-protocol.ts";
import { refuseUpgrade, type UpgradeRefusal } from "./refuse-upgrade.ts";
import { serveSocket } from "./serve-socket.ts";

/** For the closing handshake of a client that may be gone. */
const closeTimeoutMs = 1_000;
const goingAway = 1001;

export interface Sockets {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every connection with 1001, "going away". */
  close(): Promise<void>;
}

export interface SocketOptions extends ProtocolOptions {
  readonly counts: LiveCounts;
}

const foreignPage: UpgradeRefusal = {
  status: 403,
  code: "FORBIDDEN",
  message: "A page of this origin may not open a WebSocket here: the server's http.cors lists those that may.",
};

export function openSockets(options: SocketOptions): Sockets {
  const { authenticator, limits, http, counts, log } = options;
  const protocol = createProtocol(options);
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.bodyBytes,
    // A few bytes of a compressed message may be gigabytes.
    perMessageDeflate: false,
    // Pongs count among the answers that a client has not read.
    autoPong: false,
    handleProtocols,
  });
  // Room for one of the largest answers behind another.
  const served = { counts, log, maxUnreadBytes: 2 * limits.answerBytes };
  const mayOpen = (request: IncomingMessage) =>
    authenticator.isOpen ? comesFromThisMachine(request) : mayOpenSocket(http.cors, request);

  return {
    handleUpgrade(request, socket, head) {
      if (!mayOpen(request)) refuseUpgrade(socket, foreignPage);
      else server.handleUpgrade(request, socket, head, (opened) => serveSocket(protocol, opened, served));
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
