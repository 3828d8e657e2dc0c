/** What is open on this server at the moment, and how much of it each owner has: for limits, and for whoever measures. It closes nothing. */
import type { Limits } from "./config/read-limits.ts";
import { type ConnectionRoom, createConnectionRoom } from "./http-connections.ts";

/** Counts things that owners have open. An owner without any leaves nothing behind. */
export class CountByOwner {
  /** The most that one owner may have. */
  readonly limit: number;
  readonly #counts = new Map<string, number>();
  #total = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Of all owners together. */
  get total(): number {
    return this.#total;
  }

  /** Null where the owner is at the limit; else what gives the place back, once however often it is called. */
  take(ownerId: string): (() => void) | null {
    const had = this.#counts.get(ownerId) ?? 0;
    if (had >= this.limit) return null;
    this.#counts.set(ownerId, had + 1);
    this.#total += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#total -= 1;
      const left = (this.#counts.get(ownerId) ?? 1) - 1;
      if (left > 0) this.#counts.set(ownerId, left);
      else this.#counts.delete(ownerId);
    };
  }
}

export interface LiveCounts {
  /** Of any kind, WebSockets among them. */
  readonly connections: ConnectionRoom;
  /** WebSockets whose owner is known. */
  readonly sockets: CountByOwner;
  /** Over WebSocket and Server-Sent Events together. */
  readonly subscriptions: CountByOwner;
}

export function createLiveCounts(limits: Limits): LiveCounts {
  return {
    connections: createConnectionRoom(limits.connections),
    sockets: new CountByOwner(limits.connectionsPerOwner),
    subscriptions: new CountByOwner(limits.subscriptionsPerOwner),
  };
}
