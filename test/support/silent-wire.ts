/**
 * A wire between a server and PostgreSQL that can fall silent: what is sent is swallowed, in one direction or in both, and no
 * end hears that the other has gone. New connections are taken all the same, or pass, as the test likes.
 */
import { openWire, type Wire } from "./wire.ts";

export interface Silence {
  readonly toDatabase: boolean;
  readonly toClient: boolean;
}

export interface SilentWire extends Wire {
  /** Swallows on the connections that there are, and on `later` ones as well. */
  silence(silence: Silence, later: boolean): void;
  /** Later connections pass. What was swallowed is lost, and its connections stay as they are. */
  heal(): void;
  /** Falls silent, in both directions, on each connection that sends this text from now on. */
  silenceUpon(text: string): void;
  /** Connections that were made so far, and those of which the server holds its end open. */
  readonly made: number;
  readonly open: number;
}

const speaking: Silence = { toDatabase: false, toClient: false };
export const silent: Silence = { toDatabase: true, toClient: true };

export async function openSilentWire(databaseUrl: string): Promise<SilentWire> {
  const connections = new Set<{ silence: Silence }>();
  let ofNew = speaking;
  let trigger: string | null = null;
  let made = 0;
  let open = 0;
  let isClosing = false;
  const wire = await openWire(
    databaseUrl,
    ({ client, database }) => {
      made += 1;
      open += 1;
      const connection = { silence: ofNew };
      connections.add(connection);
      client.once("close", () => {
        open -= 1;
        // An end is news, too, and passes only where bytes do.
        if (!connection.silence.toDatabase) database.end();
      });
      database.once("close", () => {
        if (!connection.silence.toClient) client.end();
      });
      client.on("data", (bytes) => {
        if (trigger !== null && bytes.includes(trigger)) connection.silence = silent;
        if (!connection.silence.toDatabase) database.write(bytes);
      });
      database.on("data", (bytes) => void (connection.silence.toClient || client.write(bytes)));
    },
    () => isClosing,
  );
  return {
    url: wire.url,
    silence(silence, later) {
      for (const connection of connections) connection.silence = silence;
      connections.clear();
      if (later) ofNew = silence;
    },
    heal() {
      ofNew = speaking;
      trigger = null;
    },
    silenceUpon(text) {
      trigger = text;
    },
    get made() {
      return made;
    },
    get open() {
      return open;
    },
    close() {
      isClosing = true;
      return wire.close();
    },
  };
}
