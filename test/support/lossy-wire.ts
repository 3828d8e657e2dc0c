/** A wire between a store and PostgreSQL that can lose answers: the statement is carried out, and its connection is cut before anybody hears of it. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface LossyWire {
  /** The same database, by way of this wire. */
  readonly url: string;
  /** From now on every answer is lost with its connection, until told otherwise. */
  lose(answers: boolean): void;
  close(): Promise<void>;
}

export async function openLossyWire(databaseUrl: string): Promise<LossyWire> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let loses = false;
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    open.add(client);
    client.once("close", () => {
      open.delete(client);
      database.end();
    });
    client.on("error", () => {});
    database.on("error", () => {});
    client.on("data", (bytes) => database.write(bytes));
    database.on("data", (bytes) => {
      if (loses) client.destroy();
      else client.write(bytes);
    });
    database.once("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    lose(answers) {
      loses = answers;
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
