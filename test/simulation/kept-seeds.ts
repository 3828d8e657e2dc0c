/** Seeds that have failed once, kept in a file of the repository: the next run, and CI, plays them first. */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

const file = join(import.meta.dirname, "failing-seeds.txt");

/** One seed a line; what follows # is for people. */
export function readKeptSeeds(): number[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.map((line) => Number(line.replace(/#.*/, ""))).filter((seed) => seed > 0);
}

export function keepSeed(seed: number): void {
  if (!readKeptSeeds().includes(seed)) appendFileSync(file, `${seed}\n`);
}
