/** Callers that wait for the same kind of work, served one after another. When there may be work, others tell it: it listens to nothing. */
import type { Claim, ClaimAttempts } from "../store/worker-commands.ts";
import { sleep } from "./clock.ts";

interface Waiter {
  readonly command: ClaimAttempts;
  /** The wait is over, yet a claim under way is still worth having: what it takes must reach its caller. */
  isOver: boolean;
  resolve(claims: Claim[]): void;
  reject(error: unknown): void;
}

export class WaitingLine {
  readonly #claim: (command: ClaimAttempts) => Promise<Claim[]>;
  readonly #waiters: Waiter[] = [];
  #served: Waiter | null = null;
  #woken = false;

  constructor(claim: (command: ClaimAttempts) => Promise<Claim[]>) {
    this.#claim = claim;
  }

  get length(): number {
    return this.#waiters.length;
  }

  /** Waits at the end of the line, at most `waitMs`; the signal ends the wait too. Both end it with nothing. */
  async join(command: ClaimAttempts, waitMs: number, signal?: AbortSignal): Promise<Claim[]> {
    const waiting = new AbortController();
    const end = () => waiting.abort();
    signal?.addEventListener("abort", end, { once: true });
    try {
      return await new Promise<Claim[]>((resolve, reject) => {
        const waiter: Waiter = { command, isOver: false, resolve, reject };
        this.#waiters.push(waiter);
        void sleep(signal?.aborted ? 0 : waitMs, waiting.signal).then(() => this.#end(waiter));
      });
    } finally {
      end();
      signal?.removeEventListener("abort", end);
    }
  }

  /** Ends every wait. */
  disperse(): void {
    for (const waiter of this.#waiters.toReversed()) this.#end(waiter);
  }

  /** There may be work now. Said while one is being served, it is remembered. */
  wake(): void {
    this.#woken = true;
    if (this.#served === null) void this.#serve();
  }

  #end(waiter: Waiter): void {
    waiter.isOver = true;
    if (this.#served !== waiter) this.#leave(waiter, []);
  }

  #leave(waiter: Waiter, claims: Claim[]): void {
    const place = this.#waiters.indexOf(waiter);
    if (place >= 0) this.#waiters.splice(place, 1);
    waiter.resolve(claims);
  }

  /** One claim at a time: who finds all they wanted leaves the chance of more to the next, who finds less has found the end. */
  async #serve(): Promise<void> {
    for (let first = this.#waiters[0]; this.#woken && first !== undefined; first = this.#waiters[0]) {
      this.#woken = false;
      this.#served = first;
      try {
        const claims = await this.#claim(first.command);
        if (claims.length >= first.command.limit) this.#woken = true;
        if (claims.length > 0 || first.isOver) this.#leave(first, claims);
      } catch (error) {
        first.reject(error);
        this.#leave(first, []);
      }
    }
    this.#served = null;
  }
}
