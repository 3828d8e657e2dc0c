/** A wire between a program and PostgreSQL: a TCP proxy that lets whoever opens it see and handle what passes. It knows no protocol. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Wire {
  /** The same database, by way of this wire. */
  readonly url: string;
  close(): Promise<void>;
}

export interface Ends {
  readonly client: Socket;
  readonly database: Socket;
}

/**
 * `join` is called for each connection, and passes the bytes on as it likes. When one end closes, so does the other, unless
 * `passesEnds` says that nothing is heard of it now. The database may move: its address is asked for at each connection.
 */
export async function openWire(
  databaseUrl: string | (() => string),
  join: (ends: Ends) => void,
  passesEnds: () => boolean = () => true,
): Promise<Wire> {
  const addressNow = () => new URL(typeof databaseUrl === "string" ? databaseUrl : databaseUrl());
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const target = addressNow();
    const database = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.once("close", () => {
        open.delete(socket);
        // What was sent is still delivered: a statement is carried out though its client has gone.
        if (passesEnds()) other.end();
      });
      socket.on("error", () => {});
    }
    join({ client, database });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = addressNow();
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
