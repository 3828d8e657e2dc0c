/**
 * Ends a stream when the token under which it was opened has ended: with one last result that says so, and then for good.
 * It knows no transport: where a whole connection ends with its token, streams are not ended one by one.
 */
import type { ExecutionResult } from "graphql";
import type { Plugin } from "graphql-yoga";
import { sleepUntil } from "../runtime/clock.ts";
import { refusalOf } from "./auth/recognise-caller.ts";
import type { OperationContext } from "./request-context.ts";

type Results = AsyncIterable<ExecutionResult>;
type Next = IteratorResult<ExecutionResult, undefined>;

const done: Next = { value: undefined, done: true };

class ExpiringStream implements AsyncIterableIterator<ExecutionResult> {
  readonly #source: AsyncIterator<ExecutionResult>;
  /** Frees the timer. */
  readonly #over = new AbortController();
  readonly #waiting = new Set<(next: Next) => void>();
  #hasExpired = false;

  constructor(stream: Results, endsAt: Date) {
    this.#source = stream[Symbol.asyncIterator]();
    void sleepUntil(endsAt, this.#over.signal).then(() => this.#expire());
  }

  #expire(): void {
    if (this.#over.signal.aborted) return;
    this.#hasExpired = true;
    for (const answer of this.#waiting) answer(this.#last());
    // Whatever it stands on is freed; what it still had to say is nobody's any more.
    void this.#source.return?.()?.catch(() => {});
  }

  /** The result that says why, once; nothing follows. */
  #last(): Next {
    if (this.#over.signal.aborted) return done;
    this.#over.abort();
    return { value: { errors: [refusalOf({ reason: "expired" })] }, done: false };
  }

  next(): Promise<Next> {
    if (this.#hasExpired) return Promise.resolve(this.#last());
    if (this.#over.signal.aborted) return Promise.resolve(done);
    return new Promise((resolve, reject) => {
      this.#waiting.add(resolve);
      this.#advance()
        .then(resolve, reject)
        .finally(() => this.#waiting.delete(resolve));
    });
  }

  async #advance(): Promise<Next> {
    try {
      const next = await this.#source.next();
      if (!next.done) return next;
      this.#over.abort();
      return done;
    } catch (error) {
      this.#over.abort();
      throw error;
    }
  }

  async return(): Promise<Next> {
    this.#over.abort();
    await this.#source.return?.();
    return done;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

export function endAtExpiry(stream: Results, endsAt: Date): AsyncIterableIterator<ExecutionResult> {
  return new ExpiringStream(stream, endsAt);
}

/** Of the engine that HTTP and WebSocket share, so that both end streams alike. */
export function useTokenExpiry(): Plugin {
  return {
    onSubscribe: ({ args }) => ({
      onSubscribeResult({ result, setResult }) {
        const { streamsEndAt } = args.contextValue as Partial<OperationContext>;
        if (streamsEndAt === null || streamsEndAt === undefined || !(Symbol.asyncIterator in result)) return;
        setResult(endAtExpiry(result as Results, streamsEndAt));
      },
    }),
  };
}
