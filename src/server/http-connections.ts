/**
 * How many connections a server has open, and which of them are too many. Those are still heard, so that they can be told and
 * a load balancer's question about health is answered. Whoever serves a request tells them; nothing is answered here.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Beyond the limit and these, a connection is closed without a word. */
const leastSpare = 64;

export interface ConnectionRoom {
  readonly open: number;
  /** Counts the server's connections from now on. */
  watch(server: Server): void;
  /** Whether the connection came when there was no room, and there still is none. */
  isSurplus(socket: object): boolean;
}

export function createConnectionRoom(limit: number): ConnectionRoom {
  const admitted = new Set<object>();
  const surplus = new Set<object>();
  return {
    get open() {
      return admitted.size + surplus.size;
    },
    watch(server) {
      server.maxConnections = limit + Math.max(leastSpare, Math.ceil(limit / 10));
      server.on("connection", (socket: Socket) => {
        const place = admitted.size < limit ? admitted : surplus;
        place.add(socket);
        socket.once("close", () => {
          admitted.delete(socket);
          surplus.delete(socket);
        });
      });
    },
    isSurplus(socket) {
      if (surplus.has(socket) && admitted.size < limit) {
        surplus.delete(socket);
        admitted.add(socket);
      }
      return surplus.has(socket);
    },
  };
}
