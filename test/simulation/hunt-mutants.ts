/** Lets the simulation loose on each mutant until a seed catches it, or the seeds are used up. */
import { breedMutant, type Mutant } from "./breed-mutant.ts";
import type { Failure } from "./run-seed.ts";
import { runSeeds } from "./run-seeds.ts";

export interface Catch {
  readonly mutant: Mutant;
  readonly seeds: number;
  readonly failure: Failure | null;
}

export interface Hunt {
  readonly serverUrl: string;
  readonly mutants: readonly Mutant[];
  readonly seeds: readonly number[];
  readonly steps: number;
  /** Mutants hunted at a time, each by one process. */
  readonly workers: number;
  onMutant(one: Catch): void;
}

async function huntOne({ serverUrl, seeds, steps }: Hunt, mutant: Mutant, index: number): Promise<Catch> {
  const bred = await breedMutant(mutant);
  try {
    const { root } = bred;
    const run = {
      serverUrl,
      seeds,
      steps,
      workers: 1,
      root,
      guarded: false,
      stopsAtFailure: true,
      name: `mutant_${index}`,
    };
    const { seeds: played, failures } = await runSeeds(run);
    return { mutant, seeds: played, failure: failures[0] ?? null };
  } finally {
    await bred.remove();
  }
}

export async function hunt(all: Hunt): Promise<Catch[]> {
  const catches: Catch[] = [];
  const left = [...all.mutants.entries()];
  const takeTurns = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, mutant] = next;
      const one = await huntOne(all, mutant, index);
      catches[index] = one;
      all.onMutant(one);
    }
  };
  await Promise.all(Array.from({ length: Math.min(all.workers, left.length) }, takeTurns));
  return catches;
}
