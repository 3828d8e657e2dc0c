/**
 * Whose turn it is at the next claim: the provider that was served the longest ago first, and on each provider the owner
 * after the one served last. It is this process's memory of its own claims; nothing depends on it but the order.
 */

interface Served {
  readonly lastOwner: string;
  readonly atClaim: number;
}

export interface Turn {
  readonly provider: string;
  /** Empty where none was served before. */
  readonly afterOwner: string;
}

export class Turns {
  readonly #served = new Map<string, Served>();
  #claims = 0;

  next(providers: readonly string[]): Turn[] {
    const lastClaimOf = (provider: string) => this.#served.get(provider)?.atClaim ?? 0;
    return [...new Set(providers)]
      .toSorted((one, other) => lastClaimOf(one) - lastClaimOf(other))
      .map((provider) => ({ provider, afterOwner: this.#served.get(provider)?.lastOwner ?? "" }));
  }

  /** What a claim has taken, in the order in which it was taken. */
  served(taken: readonly { readonly provider: string; readonly ownerId: string }[]): void {
    if (taken.length === 0) return;
    this.#claims += 1;
    for (const { provider, ownerId } of taken) {
      this.#served.set(provider, { lastOwner: ownerId, atClaim: this.#claims });
    }
  }
}
