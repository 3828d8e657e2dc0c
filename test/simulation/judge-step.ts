/**
 * Judges what a step answered and left behind: some order of its commands, one after the other, must explain both. A command
 * whose caller was cut off was carried out as a whole or not at all.
 */
import type { Json } from "./commands.ts";
import { adopt, compare, differencesOf } from "./compare.ts";
import { predict } from "./model/predict.ts";
import type { World } from "./model/world.ts";
import type { Rows } from "./read-rows.ts";
import type { Outcome } from "./run-step.ts";

export type Verdict = { readonly world: World } | { readonly complaints: readonly string[] };

function ordersOf<Value>(values: readonly Value[]): Value[][] {
  if (values.length <= 1) return [[...values]];
  return values.flatMap((first, index) => ordersOf(values.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

function hasBroken(seen: Json): seen is { readonly error: string } {
  return typeof seen === "object" && seen !== null && "error" in seen;
}

/** What the model says a command must answer, against what it did. */
function objections(world: World, { command, seen }: Outcome, loose: boolean): { world: World; complaints: string[] } {
  // The design knows no command that breaks: whatever is asked, there is an answer to it.
  if (hasBroken(seen)) return { world, complaints: [`${command.do} broke: ${seen.error}`] };
  const prediction = predict(world, command, seen, loose);
  return { world: prediction.world, complaints: differencesOf(`answer to ${command.do}`, prediction.answer, seen) };
}

/** Every world that this order may have led to; without one, what spoke against it first. What one command makes, the next may name. */
function follow(
  world: World,
  order: readonly Outcome[],
  rows: Rows,
  loose: boolean,
): { worlds: World[]; complaints: string[] } {
  let worlds = [world];
  for (const outcome of order) {
    let complaints: string[] = [];
    worlds = worlds.flatMap((one) => {
      if (outcome.wasCutOff) return [one, adopt(predict(one, outcome.command, null, true).world, rows)];
      const next = objections(one, outcome, loose);
      if (next.complaints.length === 0) return [adopt(next.world, rows)];
      complaints = next.complaints;
      return [];
    });
    if (worlds.length === 0) return { worlds, complaints };
  }
  return { worlds, complaints: [] };
}

export function judgeStep(
  world: World,
  outcomes: readonly Outcome[],
  rows: Rows,
  loose: boolean,
  nameOf: (id: string) => string,
): Verdict {
  let least: string[] | null = null;
  const keepLeast = (complaints: string[]): void => {
    if (least === null || complaints.length < least.length) least = complaints;
  };
  const objected: string[][] = [];
  for (const order of ordersOf(outcomes)) {
    const { worlds, complaints } = follow(world, order, rows, loose);
    if (worlds.length === 0) objected.push(complaints);
    for (const reached of worlds) {
      const differences = compare(reached, rows, nameOf);
      if (differences.length === 0) return { world: reached };
      keepLeast(differences);
    }
  }
  // Where no order explains the answers, the rows may still be right: say first what was answered wrongly.
  return { complaints: least ?? objected[0] ?? [] };
}
