/** What one WebSocket carries at the moment: its owner's place, its open streams, the messages that are not dealt with. It sends nothing. */
import type { CountByOwner } from "../live-counts.ts";

/** Queries and mutations of one socket that wait for their answers. */
export const maxUnansweredOperations = 1_000;
/** Of any kind: a client that goes on sending and does not read its answers gets no further. */
const maxUnansweredMessages = 4 * maxUnansweredOperations;

export class SocketLoad {
  readonly #sockets: CountByOwner;
  #freePlace: (() => void) | null = null;
  #isGone = false;
  #streams = 0;
  #messages = 0;

  constructor(sockets: CountByOwner) {
    this.#sockets = sockets;
  }

  /** The most sockets that an owner may have. */
  get socketsPerOwner(): number {
    return this.#sockets.limit;
  }

  /** Subscriptions that are open, or about to be. */
  get streams(): number {
    return this.#streams;
  }

  get hasTooManyOperations(): boolean {
    return this.#messages - this.#streams > maxUnansweredOperations;
  }

  get hasTooManyMessages(): boolean {
    return this.#messages - this.#streams > maxUnansweredMessages;
  }

  /** A socket belongs to the first owner who shows on it. False where that owner has no room for one more. */
  belongTo(ownerId: string): boolean {
    if (this.#isGone || this.#freePlace !== null) return true;
    this.#freePlace = this.#sockets.take(ownerId);
    return this.#freePlace !== null;
  }

  openStream(): () => void {
    this.#streams += 1;
    let isOpen = true;
    return () => {
      if (isOpen) this.#streams -= 1;
      isOpen = false;
    };
  }

  /** A message counts until it is dealt with and its answer has left; that of a subscription until the stream is over. */
  async carry(work: () => Promise<void>): Promise<void> {
    this.#messages += 1;
    try {
      await work();
    } finally {
      this.#messages -= 1;
    }
  }

  close(): void {
    this.#isGone = true;
    this.#freePlace?.();
  }
}
