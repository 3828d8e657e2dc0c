/** Chance from a seed: each step of a seed has a generator of its own, so that what one step draws shifts no other step. */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

export interface Random {
  /** 0 up to `limit` - 1. */
  below(limit: number): number;
  chance(share: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  /** One of the values, each as likely as its weight; at least one weight is above zero. */
  weighted<Value>(weights: readonly (readonly [Value, number])[]): Value;
}

/** The first draws of neighbouring seeds are alike. */
const drawsThrownAway = 20;

export function randomOf(seed: number, step: number): Random {
  const generator = xoroshiro128plus(Math.imul(seed, 0x9e3779b1) ^ Math.imul(step + 1, 0x85ebca6b));
  for (let draw = 0; draw < drawsThrownAway; draw += 1) generator.next();
  const below = (limit: number): number => uniformInt(generator, 0, limit - 1);
  return {
    below,
    chance: (share) => below(1_000_000) < share * 1_000_000,
    pick(values) {
      if (values.length === 0) throw new RangeError("There is nothing to pick from.");
      return values[below(values.length)] as (typeof values)[number];
    },
    weighted(weights) {
      let left = below(weights.reduce((sum, [, weight]) => sum + weight, 0));
      for (const [value, weight] of weights) {
        if (left < weight) return value;
        left -= weight;
      }
      throw new RangeError("No weight is above zero.");
    },
  };
}
