/** Chance that a seed repeats (mulberry32). How calls meet is up to the machine, so the same seed asks alike and is answered anew. */

export interface Chance {
  /** From 0 up to, and without, 1. */
  next(): number;
  below(limit: number): number;
  pick<Value>(values: readonly Value[]): Value | null;
}

export function seeded(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, pick: (values) => values[below(values.length)] ?? null };
}
