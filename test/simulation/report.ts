/** What a run says at its end, for people: failures with the way to repeat them, what was seen, which mutant was caught by what. */
import type { Catch } from "./hunt-mutants.ts";
import type { Failure } from "./run-seed.ts";
import type { SeedsRun } from "./run-seeds.ts";

const complaintsShown = 30;

export function failureText(failure: Failure, steps: number): string {
  const { seed, step, check, complaints, lastSteps } = failure;
  const more = complaints.length > complaintsShown ? [`… and ${complaints.length - complaintsShown} more`] : [];
  return [
    "",
    `SEED ${seed} failed at step ${step}, by the ${check}.`,
    "The last steps, the newest last:",
    ...lastSteps.map((line) => `  ${line.replaceAll("\n", "\n  ")}`),
    "What is wrong:",
    ...[...complaints.slice(0, complaintsShown), ...more].map((line) => `  ${line}`),
    `Again: npm run simulate -- --seed ${seed} --steps ${steps}`,
    "",
  ].join("\n");
}

const grouped = (value: number): string => value.toLocaleString("en");

export function summaryText({ seeds, tally, failures, seconds }: SeedsRun): string {
  const { steps, commands, races, held, cutOff, discards } = tally;
  return [
    `${grouped(seeds)} seeds, ${grouped(steps)} steps in ${seconds.toFixed(1)} s (${Math.round(steps / seconds)} steps/s)`,
    `${grouped(commands)} commands, ${grouped(races)} races, ${grouped(held)} steps held at a point, ${grouped(cutOff)} commands cut off, ${grouped(discards)} results discarded`,
    failures.length === 0
      ? "Model, invariants and database agreed after every step."
      : `${failures.length} failed: ${failures.map((one) => `SEED ${one.seed}`).join(", ")}`,
    "",
  ].join("\n");
}

function row(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join("  ")
    .trimEnd();
}

/** As soon as it is known, since the others may take a while. */
export function catchText({ mutant, failure, seeds }: Catch): string {
  if (failure === null) return `${mutant.name}: not caught in ${seeds} seeds`;
  return `${mutant.name}: caught by seed ${failure.seed} at step ${failure.step}`;
}

export function mutantsText(catches: readonly Catch[]): string {
  const rows = catches.map(({ mutant, failure, seeds }) =>
    failure === null
      ? [mutant.name, `NOT CAUGHT in ${seeds} seeds`, "", "", ""]
      : [mutant.name, `${failure.seed}`, `${failure.step}`, failure.check, (failure.complaints[0] ?? "").slice(0, 110)],
  );
  const table = [["mutant", "seed", "step", "caught by", "first complaint"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((cells) => (cells[column] ?? "").length)));
  const missed = catches.filter((one) => one.failure === null).length;
  const verdict =
    missed === 0
      ? `All ${catches.length} mutants were caught.`
      : `${missed} of ${catches.length} mutants were not caught.`;
  return `${table.map((cells) => row(cells, widths)).join("\n")}\n${verdict}\n`;
}
