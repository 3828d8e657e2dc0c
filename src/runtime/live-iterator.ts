/**
 * An async iterator over what a follower has in stock, ended at once by `return()` also while a `next()` is waiting: a
 * plain async generator would not be. It holds no values itself.
 */

export interface Stock<Value> {
  /** The next value, or null when there is none now. */
  take(): Value | null;
  /** Whether nothing will ever come again. */
  isOver(): boolean;
  /** Frees everything; called once. */
  release(): void;
}

export class LiveIterator<Value extends object> implements AsyncIterableIterator<Value> {
  readonly #stock: Stock<Value>;
  readonly #waiting: ((result: IteratorResult<Value, undefined>) => void)[] = [];
  #isEnded = false;

  constructor(stock: Stock<Value>) {
    this.#stock = stock;
  }

  /** Hands out what there is to those who wait for it. */
  wake(): void {
    while (!this.#isEnded && this.#waiting.length > 0) {
      const value = this.#stock.take();
      if (value !== null) this.#waiting.shift()?.({ value, done: false });
      else if (!this.#stock.isOver()) return;
      if (this.#stock.isOver()) this.end();
    }
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const answer of this.#waiting.splice(0)) answer({ value: undefined, done: true });
    this.#stock.release();
  }

  next(): Promise<IteratorResult<Value, undefined>> {
    if (this.#isEnded) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.wake();
    });
  }

  return(): Promise<IteratorResult<Value, undefined>> {
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  async throw(error: unknown): Promise<IteratorResult<Value, undefined>> {
    this.end();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
