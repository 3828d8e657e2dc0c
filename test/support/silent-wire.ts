/** A wire that can fall silent: connections stay open and take everything, and nothing passes any more. New ones are sound. */
import type { Socket } from "node:net";
import { openWire, type Wire } from "./wire.ts";

export interface SilentWire extends Wire {
  /** From now on nothing passes in either direction on the connections that are open. */
  hush(): void;
  /** How many connections there have been. */
  joined(): number;
}

export async function openSilentWire(targetUrl: string): Promise<SilentWire> {
  const sound = new Set<Socket>();
  let joined = 0;
  const wire = await openWire(targetUrl, ({ client, database }) => {
    joined += 1;
    sound.add(client);
    client.on("data", (bytes) => sound.has(client) && database.write(bytes));
    database.on("data", (bytes) => sound.has(client) && client.write(bytes));
  });
  return { ...wire, hush: () => sound.clear(), joined: () => joined };
}
