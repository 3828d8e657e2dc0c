/**
 * Gathers what concurrent callers ask while the previous batch is under way, and hands it on as one batch. It never waits
 * for more: an idle caller goes at once. What a batch does is the verb's business.
 */

export type Settled<Answer> = { readonly answer: Answer } | { readonly error: unknown };

export interface BatcherOptions<Command, Answer> {
  readonly maxSize: number;
  readonly maxInFlight: number;
  /** Commands with the same key never share a batch or overtake each other; null never clashes. */
  keyOf(command: Command): string | null;
  /**
   * Carries a batch out and settles each command by its index, some perhaps after the promise has resolved: the next
   * batch starts when it resolves, so that one stubborn command holds nobody else back.
   */
  run(commands: readonly Command[], settle: (index: number, outcome: Settled<Answer>) => void): Promise<void>;
}

interface Waiting<Command, Answer> {
  readonly command: Command;
  readonly key: string | null;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export class Batcher<Command, Answer> {
  readonly #options: BatcherOptions<Command, Answer>;
  readonly #busyKeys = new Set<string>();
  #waiting: Waiting<Command, Answer>[] = [];
  #inFlight = 0;
  #scheduled = false;

  constructor(options: BatcherOptions<Command, Answer>) {
    this.#options = options;
  }

  ask(command: Command): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ command, key: this.#options.keyOf(command), resolve, reject });
      this.#schedule();
    });
  }

  /** Callers of the same turn of the event loop share a batch: that costs no time, since nothing was sent yet. */
  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0 || this.#inFlight >= this.#options.maxInFlight) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      while (this.#inFlight < this.#options.maxInFlight) {
        const batch = this.#take();
        if (batch.length === 0) break;
        void this.#send(batch);
      }
    });
  }

  /** The oldest commands first, leaving those whose key is busy for a later batch. */
  #take(): Waiting<Command, Answer>[] {
    const batch: Waiting<Command, Answer>[] = [];
    const rest: Waiting<Command, Answer>[] = [];
    for (const one of this.#waiting) {
      if (batch.length >= this.#options.maxSize || (one.key !== null && this.#busyKeys.has(one.key))) {
        rest.push(one);
        continue;
      }
      if (one.key !== null) this.#busyKeys.add(one.key);
      batch.push(one);
    }
    this.#waiting = rest;
    return batch;
  }

  async #send(batch: readonly Waiting<Command, Answer>[]): Promise<void> {
    const settle = (index: number, outcome: Settled<Answer>): void => {
      const one = batch[index];
      if (one === undefined) return;
      if ("error" in outcome) one.reject(outcome.error);
      else one.resolve(outcome.answer);
      if (one.key !== null && this.#busyKeys.delete(one.key)) this.#schedule();
    };
    this.#inFlight += 1;
    try {
      await this.#options.run(
        batch.map((one) => one.command),
        settle,
      );
    } catch (error) {
      for (const index of batch.keys()) settle(index, { error });
    } finally {
      this.#inFlight -= 1;
      this.#schedule();
    }
  }
}
