/** Who rings on the channel, and how far each has counted: by that a process notices hints that it never got. It does no I/O. */
import { isHint, type Message } from "./message.ts";

interface Sender {
  /** The number of its last hint; null where hints may have passed by, of which the gap was told. */
  last: number | null;
  /** Intervals that have passed since it was heard. */
  silent: number;
}

/** A sender beats once in each interval. */
const silentIntervals = 3;
/** Bounds what forged names can take up. */
const mostSenders = 10_000;

export class Roll {
  readonly #senders = new Map<string, Sender>();

  get size(): number {
    return this.#senders.size;
  }

  /** Whether it shows that hints were lost. One that is heard again, or late, is no sign of that. */
  hear({ kind, from, number }: Message): boolean {
    const known = this.#senders.get(from);
    const last = known?.last ?? null;
    const expected = last === null ? number : isHint(kind) ? last + 1 : last;
    const isGap = kind === "gap" || number > expected;
    if (kind === "bye") this.#senders.delete(from);
    else if (known !== undefined) {
      known.last = Math.max(number, last ?? 0);
      known.silent = 0;
    } else if (this.#senders.size < mostSenders) this.#senders.set(from, { last: number, silent: 0 });
    return isGap;
  }

  /** An interval is over: whether a sender has fallen silent without a word, maybe between a commit and its hint. It is told once. */
  pass(): boolean {
    const before = this.#senders.size;
    for (const [from, sender] of this.#senders) {
      sender.silent += 1;
      if (sender.silent > silentIntervals) this.#senders.delete(from);
    }
    return this.#senders.size < before;
  }

  /** Nothing was heard for a while, and the gap is told: whoever was there still has to be heard of, from whatever number on. */
  restart(): void {
    for (const sender of this.#senders.values()) {
      sender.last = null;
      sender.silent = 0;
    }
  }
}
